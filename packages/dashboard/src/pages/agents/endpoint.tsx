/** The MCP endpoint of the application: its switch, its address, and how to connect an assistant. */
import type { Application } from '@waypost/sdk'
import { Link } from 'wouter'
import { api, baseUrl } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { Code, CopyButton, CopyText } from '../../components/copy.tsx'
import { ActionButton, ConfirmButton } from '../../components/dialog.tsx'
import { Card } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import { refresh } from '../../queries.ts'

const endpointOf = (application: string): string => `${baseUrl}/mcp/${application}`

async function setEnabled(application: string, enabled: boolean): Promise<void> {
  await api(application).applications.update({ body: { mcp_enabled: enabled } })
  await refresh('application', application)
}

function Command({ text, label }: { text: string; label: string }) {
  return (
    <div className="code-to-copy">
      <Code text={text} label={label} />
      <CopyButton text={text} label={`Copy: ${label}`} />
    </div>
  )
}

function Instructions({ application }: { application: string }) {
  const url = endpointOf(application)
  return (
    <details>
      <summary>Connect an assistant</summary>
      <div className="stack">
        <ol className="connect-steps">
          <li>In the assistant, add a connector (a remote MCP server) with the address above.</li>
          <li>
            The assistant opens a page of this service. There, the owner of an account signs in, or an administrator
            chooses accounts, and both see in plain words what the assistant may do.
          </li>
          <li>The agent then appears below. Sending, deleting and inviting wait for approval.</li>
        </ol>
        <div className="field">
          <h3>Claude Code</h3>
          <Command text={`claude mcp add --transport http waypost ${url}`} label="Command for Claude Code" />
        </div>
        <div className="field">
          <h3>Assistants on this computer, with an API key</h3>
          <span className="hint">
            Create a key with limited rights that include the MCP endpoint under{' '}
            <Link href={`/a/${application}/api-keys?new=yes`}>API keys</Link>.
          </span>
          <Command
            text={`WAYPOST_API_KEY=wprk_… waypost mcp --url ${baseUrl}`}
            label="Command for assistants on this computer"
          />
        </div>
      </div>
    </details>
  )
}

const TurnOn = ({ id }: { id: string }) => (
  <ActionButton changes kind="primary" label="Turn on" onAct={() => setEnabled(id, true)} />
)

export function Endpoint({ application }: { application: Application }) {
  const { application_id: id, mcp_enabled: isOn } = application
  if (!isOn) {
    return (
      <Card title="MCP endpoint">
        <Empty title="Assistants cannot connect yet" actions={<TurnOn id={id} />}>
          The MCP endpoint lets AI assistants read mail and calendars, write drafts and book, with limited rights and
          with the approval of a person. It is off for this application.
        </Empty>
      </Card>
    )
  }
  return (
    <Card
      title="MCP endpoint"
      lead="The address that assistants connect to."
      actions={
        <>
          <Badge tone="good">on</Badge>
          <ConfirmButton
            small
            label="Turn off"
            title="Turn the MCP endpoint off?"
            onConfirm={() => setEnabled(id, false)}
          >
            <p>Assistants get no answers until it is on again. Agents stay connected, and pending approvals stay.</p>
          </ConfirmButton>
        </>
      }
    >
      <div className="card-body stack">
        <CopyText text={endpointOf(id)} label="Copy the address of the MCP endpoint" />
        <Instructions application={id} />
      </div>
    </Card>
  )
}
