/** One agent: its client, rights and activity. */
import type { Agent } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { CopyText } from '../../components/copy.tsx'
import { TextField } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Card, Facts, Page } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { visibleText, webAddress } from '../../foreign-text.ts'
import { refresh, useData } from '../../queries.ts'
import { AgentState, agentsKey, Disconnect } from './agent-parts.tsx'
import { RequestLog } from './request-log.tsx'
import { RightsFields } from './rights-fields.tsx'
import { rightsIn } from './rights-form.ts'
import { RightsFacts } from './rights-view.tsx'
import '../../styles/agents.css'

function EditRights({ application, agent, onClose }: { application: string; agent: Agent; onClose(): void }) {
  return (
    <FormDialog
      wide
      title={`Rights of ${agent.name}`}
      onClose={onClose}
      submit="Save rights"
      onSubmit={(values) => {
        const { grants: _, ...rights } = rightsIn(values, [])
        return api(application).agents.update({
          agent_id: agent.id,
          body: { name: values.text('name'), rights: { ...rights, grants: agent.rights.grants } },
        })
      }}
      reload={() => refresh(...agentsKey(application))}
      done="The new rights apply from the next request on"
    >
      <p>An agent never gets more than the person agreed to who connected it. To give it more, connect it again.</p>
      <TextField label="Name" name="name" defaultValue={agent.name} />
      <RightsFields
        {...{ application }}
        rights={agent.rights}
        chosen={[]}
        onChosen={() => undefined}
        only={agent.rights.operations}
      />
    </FormDialog>
  )
}

/** The web page that a client named. Anything but a web address stays text. */
function ClientPage({ uri }: { uri: string | null }) {
  if (uri === null) return <span className="quiet">none named</span>
  const href = webAddress(uri)
  return href ? (
    <a href={href} target="_blank" rel="noopener noreferrer" className="wrap">
      {href}
    </a>
  ) : (
    <span className="wrap">{uri}</span>
  )
}

function AgentDetails({ application, agent }: { application: string; agent: Agent }) {
  const [editing, setEditing] = useState(false)
  const { rights } = agent
  return (
    <>
      <Card>
        <div className="card-body">
          <Facts
            rows={[
              ['State', <AgentState key="state" of={agent.status} />],
              [
                'Client',
                <code key="client" className="wrap">
                  {agent.client_id}
                </code>,
              ],
              ['Web page', <ClientPage key="page" uri={agent.client_uri} />],
              [
                'Connected',
                <span key="connected" className="wrap">
                  <Time at={agent.created_at} /> by {visibleText(agent.connected_by)}
                </span>,
              ],
              ['Last used', <Time key="used" at={agent.last_used_at} />],
              ['ID', <CopyText key="id" inline text={agent.id} label="Copy the ID of the agent" />],
            ]}
          />
        </div>
      </Card>
      <Card
        title="Rights"
        actions={
          agent.status === 'active' && (
            <Button small changes onClick={() => setEditing(true)}>
              Change rights
            </Button>
          )
        }
      >
        <div className="card-body">
          <RightsFacts {...{ application, rights }} grantIds={agent.grant_ids} />
        </div>
      </Card>
      <RequestLog
        application={application}
        of={agentsKey(application, agent.id)}
        read={(query, signal) => api(application).agents.requests({ agent_id: agent.id, query, signal })}
      />
      {editing && <EditRights {...{ application, agent }} onClose={() => setEditing(false)} />}
    </>
  )
}

export function AgentPage({ application, id }: { application: string; id: string }) {
  const query = useData(agentsKey(application, 'one', id), (signal) =>
    api(application).agents.get({ agent_id: id, signal }),
  )
  return (
    <Page
      title={visibleText(query.data?.name ?? 'Agent')}
      back={{ to: `/a/${application}/agents`, label: 'Agents' }}
      actions={query.data?.status === 'active' && <Disconnect {...{ application }} agent={query.data} />}
    >
      <Loaded query={query}>{(agent) => <AgentDetails {...{ application, agent }} />}</Loaded>
    </Page>
  )
}
