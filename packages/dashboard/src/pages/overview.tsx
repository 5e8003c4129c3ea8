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
  const failing = (webhooks.data ?? []).filter(({ status }) => status === 'failing' || status === 'failed').length
  const steps = stepsOf(`/a/${application}`, {
    connector: (connectors.data?.length ?? 0) > 0,
    grant: (found?.grant_count ?? 0) > 0,
    key: (keys.data ?? []).some(({ status }) => status === 'active'),
    webhook: (webhooks.data?.length ?? 0) > 0,
  })
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
        <Steps steps={steps} />
      </Card>
      <Card title="Facts">
        <Loaded query={applications} lines={3}>
          {() => found && <ApplicationFacts application={found} />}
        </Loaded>
      </Card>
    </Page>
  )
}

/** What is to be done with a new application, and what of it is done. */
const stepsOf = (
  at: string,
  done: { connector: boolean; grant: boolean; key: boolean; webhook: boolean },
): readonly Step[] => [
  {
    title: 'Set up a connector',
    text: 'It says how people of one provider connect their account.',
    done: done.connector,
    to: `${at}/connectors`,
    act: 'Connectors',
  },
  {
    title: 'Connect an account',
    text: 'A grant is one mailbox or calendar that somebody gave this application access to.',
    done: done.grant,
    to: `${at}/grants`,
    act: 'Grants',
  },
  {
    title: 'Create an API key',
    text: 'Your own service calls the API with it.',
    done: done.key,
    to: `${at}/api-keys`,
    act: 'API keys',
  },
  {
    title: 'Add a webhook destination',
    text: 'Messages and events that change are told to it at once.',
    done: done.webhook,
    to: `${at}/webhooks`,
    act: 'Webhooks',
  },
]

function Steps({ steps }: { steps: readonly Step[] }) {
  return (
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
  )
}

type Application = NonNullable<ReturnType<typeof useApplications>['data']>[number]

function ApplicationFacts({ application }: { application: Application }) {
  const { application_id: id, environment, region, created_at } = application
  return (
    <div className="card-body">
      <Facts
        rows={[
          ['Application id', <CopyText key="id" inline text={id} label="Copy the application id" />],
          ['Environment', environment],
          ['Region', region],
          ['Created', <Time key="at" at={created_at} />],
        ]}
      />
    </div>
  )
}
