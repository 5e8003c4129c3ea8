/** One API key: its rights, its last use, and the requests of a restricted one. */
import type { ApiKey, KeyRights } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Status } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CopyText } from '../../components/copy.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Form, TextField } from '../../components/form.tsx'
import { Card, Facts, Page } from '../../components/page.tsx'
import { Empty, Loaded } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { refresh, useData } from '../../queries.ts'
import { RequestLog } from '../agents/request-log.tsx'
import type { ChosenGrant } from '../agents/rights.ts'
import { RightsFields } from '../agents/rights-fields.tsx'
import { rightsIn } from '../agents/rights-form.ts'
import { RightsFacts, useNamedGrants } from '../agents/rights-view.tsx'
import { Revoke, sayCreator } from './key-parts.tsx'
import '../../styles/agents.css'

function EditForm({
  apiKey,
  rights,
  named,
  onClose,
}: {
  apiKey: ApiKey
  rights: KeyRights
  named: readonly ChosenGrant[]
  onClose(): void
}) {
  const [chosen, setChosen] = useState(named)
  const application = apiKey.application_id
  return (
    <Form
      submit="Save rights"
      onCancel={onClose}
      onSubmit={(values) =>
        api().apiKeys.update({
          application_id: application,
          id: apiKey.id,
          body: { name: values.text('name'), rights: rightsIn(values, chosen) },
        })
      }
      onDone={onClose}
      reload={() => refresh('api-keys', application)}
      done="The new rights apply from the next request on"
    >
      <TextField label="Name" name="name" defaultValue={apiKey.name} />
      <RightsFields {...{ application, rights, chosen }} onChosen={setChosen} />
    </Form>
  )
}

function EditRights({ apiKey, rights, onClose }: { apiKey: ApiKey; rights: KeyRights; onClose(): void }) {
  const ids = rights.grants && 'ids' in rights.grants ? rights.grants.ids : []
  const named = useNamedGrants(apiKey.application_id, ids)
  return (
    <Dialog wide title={`Rights of ${apiKey.name}`} onClose={onClose}>
      <Loaded query={named}>{(grants) => <EditForm {...{ apiKey, rights, onClose }} named={grants} />}</Loaded>
    </Dialog>
  )
}

function KeyDetails({ apiKey, application }: { apiKey: ApiKey; application: string }) {
  const [editing, setEditing] = useState(false)
  const { rights } = apiKey
  return (
    <>
      <Card>
        <div className="card-body">
          <Facts
            rows={[
              ['State', <Status key="state" of={apiKey.status} />],
              ['Key', <code key="hint">{apiKey.hint}</code>],
              ['Last used', <Time key="used" at={apiKey.last_used_at} />],
              ['Expires', <Time key="expires" at={apiKey.expires_at} />],
              [
                'Created',
                <span key="created" className="wrap">
                  <Time at={apiKey.created_at} /> {sayCreator(apiKey.created_by)}
                </span>,
              ],
              ['ID', <CopyText key="id" inline text={apiKey.id} label="Copy the ID of the key" />],
            ]}
          />
        </div>
      </Card>
      <Card
        title="Rights"
        actions={
          rights &&
          apiKey.status === 'active' && (
            <Button small changes onClick={() => setEditing(true)}>
              Change rights
            </Button>
          )
        }
      >
        {rights ? (
          <div className="card-body">
            <RightsFacts {...{ application, rights }} />
          </div>
        ) : (
          <Empty title="All rights">
            This key can do everything in the application. For less, create a key with limited rights and revoke this
            one.
          </Empty>
        )}
      </Card>
      {rights && (
        <RequestLog
          application={application}
          of={['api-keys', application, apiKey.id]}
          read={(query, signal) =>
            api().apiKeys.requests({ application_id: application, id: apiKey.id, query, signal })
          }
        />
      )}
      {editing && rights && <EditRights {...{ apiKey, rights }} onClose={() => setEditing(false)} />}
    </>
  )
}

export function KeyPage({ application, id }: { application: string; id: string }) {
  const query = useData(['api-keys', application, 'one', id], (signal) =>
    api().apiKeys.get({ application_id: application, id, signal }),
  )
  return (
    <Page
      title={query.data?.name ?? 'API key'}
      back={{ to: `/a/${application}/api-keys`, label: 'API keys' }}
      actions={query.data?.status === 'active' && <Revoke apiKey={query.data} />}
    >
      <Loaded query={query}>{(apiKey) => <KeyDetails {...{ apiKey, application }} />}</Loaded>
    </Page>
  )
}
