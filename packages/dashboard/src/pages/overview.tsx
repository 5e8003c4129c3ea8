/** Where an application stands, and what to do next with it. */
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { LinkButton } from '../components/button.tsx'
import { CopyText } from '../components/copy.tsx'
import { Icon } from '../components/icons.tsx'
import { Card, Facts, Page, Tiles } from '../components/page.tsx'
import { ErrorNote, Loaded } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { count } from '../format.ts'
import { useApplications, useConnectors } from '../queries.ts'

interface Step {
  title: string
  text: string
  done: boolean
  to: string
  act: string
}

export function Overview({ application }: { application: string }) {
  const applications = useApplications()
  const connectors = useConnectors(application)
  const webhooks = useQuery({
    queryKey: ['webhooks', application],
    queryFn: async ({ signal }) => (await api(application).webhooks.list({ signal })).data,
  })
  const keys = useQuery({
    queryKey: ['api-keys', application],
    queryFn: async ({ signal }) => (await api().apiKeys.list({ application_id: application, signal })).data,
  })
  const found = applications.data?.find(({ application_id }) => application_id === application)
  if (applications.data && !found) {
    return (
      <Page title="Unknown application">
        <ErrorNote error={new Error('There is no application with this id. Choose another one on the left.')} />
      </Page>
    )
  }
  const at = `/a/${application}`
  const failing = (webhooks.data ?? []).filter(({ status }) => status === 'failing' || status === 'failed').length
  const steps: Step[] = [
    {
      title: 'Set up a connector',
      text: 'It says how people of one provider connect their account.',
      done: (connectors.data?.length ?? 0) > 0,
      to: `${at}/connectors`,
      act: 'Connectors',
    },
    {
      title: 'Connect an account',
      text: 'A grant is one mailbox or calendar that somebody gave this application access to.',
      done: (found?.grant_count ?? 0) > 0,
      to: `${at}/grants`,
      act: 'Grants',
    },
    {
      title: 'Create an API key',
      text: 'Your own service calls the API with it.',
      done: (keys.data ?? []).some(({ status }) => status === 'active'),
      to: `${at}/api-keys`,
      act: 'API keys',
    },
    {
      title: 'Add a webhook destination',
      text: 'Messages and events that change are told to it at once.',
      done: (webhooks.data?.length ?? 0) > 0,
      to: `${at}/webhooks`,
      act: 'Webhooks',
    },
  ]
  const limit = found?.grant_limit
  return (
    <Page title={found?.branding.name ?? 'Overview'} lead={found?.branding.description ?? undefined}>
      <Tiles
        tiles={[
          ['Grants', found ? `${count(found.grant_count)}${typeof limit === 'number' ? ` of ${limit}` : ''}` : '…'],
          ['Connectors', connectors.data ? count(connectors.data.length) : '…'],
          ['Destinations', webhooks.data ? count(webhooks.data.length) : '…'],
          ['Destinations in trouble', webhooks.data ? count(failing) : '…'],
        ]}
      />
      {typeof limit === 'number' && (
        <div className="note">
          <strong>This is the sandbox.</strong>
          <span className="small">
            It takes {limit} grants, and the connectors that it came with stay as they are. Create an application of
            your own for real accounts.
          </span>
        </div>
      )}
      <Card title="Getting started">
        <ol className="steps">
          {steps.map(({ title, text, done, to, act }, index) => (
            <li key={title}>
              <span className={`step-mark ${done ? 'done' : ''}`}>
                {done ? <Icon name="check" /> : index + 1}
                {done && <span className="hidden">Done</span>}
              </span>
              <div>
                <h3>{title}</h3>
                <p className="quiet small">{text}</p>
              </div>
              <LinkButton to={to} small>
                {act}
              </LinkButton>
            </li>
          ))}
        </ol>
      </Card>
      <Card title="Facts">
        <Loaded query={applications} lines={3}>
          {() =>
            found && (
              <div className="card-body">
                <Facts
                  rows={[
                    ['Application id', <CopyText key="id" inline text={application} label="Copy the application id" />],
                    ['Environment', found.environment],
                    ['Region', found.region],
                    ['Created', <Time key="at" at={found.created_at} />],
                  ]}
                />
              </div>
            )
          }
        </Loaded>
      </Card>
    </Page>
  )
}
