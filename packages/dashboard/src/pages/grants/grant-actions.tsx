/** Administrator actions on a grant, with their consequences. */
import type { Grant } from '@waypost/sdk'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { CopyText } from '../../components/copy.tsx'
import { ConfirmButton, Dialog } from '../../components/dialog.tsx'
import { SelectField } from '../../components/form.tsx'
import { Card } from '../../components/page.tsx'
import { showToast } from '../../components/toast.tsx'
import { refresh, useApplication } from '../../queries.ts'
import { beginSignIn, signInUrl } from './sign-in-link.ts'

function Reauthenticate({ application, grant, onClose }: { application: string; grant: Grant; onClose(): void }) {
  const { data } = useApplication(application)
  const uris = data?.callback_uris ?? []
  const [chosen, setChosen] = useState<string>()
  const redirectUri = chosen ?? uris[0]?.url
  const facts = { application, provider: grant.provider, loginHint: grant.email }
  return (
    <Dialog title="Authenticate again" onClose={onClose}>
      <p>
        Signing in as <strong className="wrap">{grant.email}</strong> renews the access of this grant. It keeps its ID,
        data and settings.
      </p>
      <div>
        <Button kind="primary" onClick={() => void beginSignIn(facts)}>
          Sign in here
        </Button>
      </div>
      <hr />
      <h3>Link for the account owner</h3>
      {redirectUri === undefined ? (
        <p className="quiet">The application has no callback URI. Add one in its settings to create the link.</p>
      ) : (
        <>
          {uris.length > 1 && (
            <SelectField
              label="Returns to"
              name="redirect_uri"
              value={redirectUri}
              onChange={setChosen}
              options={uris.map(({ url }) => [url, url])}
            />
          )}
          <CopyText text={signInUrl({ ...facts, redirectUri })} label="Copy link" />
        </>
      )}
    </Dialog>
  )
}

function Row({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <li className="split">
      <div>
        <h3>{title}</h3>
        <p className="quiet small">{text}</p>
      </div>
      {children}
    </li>
  )
}

function BlockRow({ isBlocked, block }: { isBlocked: boolean; block(blocked: boolean): () => Promise<void> }) {
  return (
    <Row title={isBlocked ? 'Blocked' : 'Block'} text="Requests for this grant are refused until you unblock it.">
      {isBlocked ? (
        <ConfirmButton
          key="unblock"
          danger={false}
          label="Unblock"
          title="Unblock this grant?"
          onConfirm={block(false)}
        >
          <p>Requests for this grant work again, and its changes are watched again.</p>
        </ConfirmButton>
      ) : (
        <ConfirmButton key="block" label="Block" title="Block this grant?" onConfirm={block(true)}>
          <p>Requests for this grant are refused and its changes are not watched until you unblock it.</p>
          <p>It keeps its provider access and data, and stays billed.</p>
        </ConfirmButton>
      )}
    </Row>
  )
}

export function GrantActions({ application, grant }: { application: string; grant: Grant }) {
  const [, navigate] = useLocation()
  const [requesting, setRequesting] = useState(false)
  const [exporting, setExporting] = useState(false)
  const of = { application_id: application, grant_id: grant.id }
  const done = async (text: string) => {
    await Promise.all([refresh('grant', application, grant.id), refresh('grants', application)])
    showToast(text)
  }
  const block = (blocked: boolean) => async () => {
    await api().adminGrants.update({ ...of, body: { blocked } })
    await done(blocked ? 'Grant blocked' : 'Grant unblocked')
  }
  return (
    <Card title="Manage">
      <ul className="list">
        <Row title="Authenticate again" text="For an account that lost access or needs more scopes.">
          <Button changes onClick={() => setRequesting(true)}>
            Authenticate again
          </Button>
        </Row>
        <Row title="Export" text="Writes mail, events and contacts to standard files.">
          <Button onClick={() => setExporting(true)}>Export…</Button>
        </Row>
        <BlockRow isBlocked={grant.blocked} block={block} />
        <Row title="Revoke" text="Ends access. The grant stays and can be authenticated again.">
          <ConfirmButton
            label="Revoke"
            title="Revoke this grant?"
            onConfirm={async () => {
              await api().adminGrants.revoke(of)
              await done('Grant revoked')
            }}
          >
            <p>
              The grant becomes invalid immediately, and <code>grant.expired</code> is sent. Nothing can be read or sent
              until the account owner authenticates again.
            </p>
            <p>It keeps its ID and data, and stays billed.</p>
          </ConfirmButton>
        </Row>
        <Row title="Delete" text="Deletes the grant and all data stored for it.">
          <ConfirmButton
            label="Delete"
            title={`Delete the grant of ${grant.email}?`}
            confirm="Delete permanently"
            onConfirm={async () => {
              await api(application).grants.delete({ grant_id: grant.id })
              await Promise.all([refresh('grants', application), refresh('applications')])
              showToast('Grant deleted')
              navigate(`/a/${application}/grants`)
            }}
          >
            <p>This takes effect immediately and cannot be undone:</p>
            <ul className="stack">
              <li>• Access at the provider is revoked and its tokens stop working.</li>
              <li>
                • All stored data is deleted: metadata, scheduled messages, signatures
                {grant.provider === 'virtual-calendar' && ', and its calendars with all events'}.
              </li>
              <li>• Notifications and billing stop after a final grant.deleted.</li>
              <li>• Connecting the account again creates a new grant with a new ID.</li>
            </ul>
          </ConfirmButton>
        </Row>
      </ul>
      {exporting && <ExportGrant {...{ application, grant }} onClose={() => setExporting(false)} />}
      {requesting && <Reauthenticate {...{ application, grant }} onClose={() => setRequesting(false)} />}
    </Card>
  )
}

/**
 * How to export an account. The export of an account has many pages and continues after an interruption, which the
 * command does better than a download in the browser.
 */
function ExportGrant({ application, grant, onClose }: { application: string; grant: Grant; onClose(): void }) {
  return (
    <Dialog wide title="Export the account" onClose={onClose}>
      <p>
        This command writes the mail, events and contacts of <strong className="wrap">{grant.email}</strong> to files:
        mbox, iCalendar and vCard. Run it on the server.
      </p>
      <CopyText text={`waypost grants export ${grant.id} --app ${application} --out backup`} label="Copy the command" />
      <p>After an interruption, run it again with this option. It loses and repeats nothing.</p>
      <CopyText text="--resume" label="Copy the option" />
      <p className="quiet small">
        Programs use the API: <code>{`/v3/grants/${grant.id}/messages/export`}</code>, <code>…/events/export</code> and{' '}
        <code>…/contacts/export</code>.
      </p>
    </Dialog>
  )
}
