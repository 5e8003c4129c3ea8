/** Who is here, and which page: everything but the sign-in is for the administrator. */
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { api, isSignedOut } from './api.ts'
import { Shell } from './components/shell.tsx'
import { ErrorNote, Skeleton } from './components/states.tsx'
import { SignIn, takeLink } from './pages/sign-in.tsx'
import { useApplications } from './queries.ts'

const page = <P extends object>(load: () => Promise<ComponentType<P>>) => lazy(async () => ({ default: await load() }))

interface InApplication {
  application: string
}

const Overview = page(async () => (await import('./pages/overview.tsx')).Overview)
const Applications = page(async () => (await import('./pages/applications.tsx')).Applications)
const Settings = page(async () => (await import('./pages/settings/settings.tsx')).Settings)
const ApiKeys = page(async () => (await import('./pages/api-keys.tsx')).ApiKeys)
const Grants = page(async () => (await import('./pages/grants/grants.tsx')).Grants)
const GrantPage = page(async () => (await import('./pages/grants/grant.tsx')).GrantPage)
const Connected = page(async () => (await import('./pages/grants/connected.tsx')).Connected)
const UsagePage = page(async () => (await import('./pages/usage.tsx')).UsagePage)
const Connectors = page(async () => (await import('./pages/connectors/connectors.tsx')).Connectors)
const ConnectorPage = page(async () => (await import('./pages/connectors/connector.tsx')).ConnectorPage)
const Webhooks = page(async () => (await import('./pages/webhooks/webhooks.tsx')).Webhooks)
const WebhookPage = page(async () => (await import('./pages/webhooks/webhook.tsx')).WebhookPage)
const Explorer = page(async () => (await import('./pages/explorer/explorer.tsx')).Explorer)
const Health = page(async () => (await import('./pages/health.tsx')).Health)
const Audit = page(async () => (await import('./pages/audit.tsx')).Audit)
const Account = page(async () => (await import('./pages/account.tsx')).Account)

const inApplication: readonly [path: string, page: ComponentType<InApplication & { id: string }>][] = [
  ['', Overview],
  ['/settings/:id?', Settings],
  ['/api-keys', ApiKeys],
  ['/grants', Grants],
  ['/grants/:id', GrantPage],
  ['/usage', UsagePage],
  ['/connectors', Connectors],
  ['/connectors/:id', ConnectorPage],
  ['/webhooks', Webhooks],
  ['/webhooks/:id', WebhookPage],
  ['/explorer', Explorer],
]

/** The session of this browser; a one-time link in the address opens one. One that is used or too old changes nothing. */
async function currentSession() {
  const link = takeLink()
  if (link !== undefined) {
    try {
      return (await api().session.create({ body: { link } })).data
    } catch (error) {
      if (!isSignedOut(error)) throw error
    }
  }
  return (await api().session.get()).data
}

export function App() {
  const session = useQuery({
    queryKey: ['session'],
    queryFn: currentSession,
    staleTime: 60_000,
    refetchInterval: 60_000 * 5,
    refetchIntervalInBackground: false,
    retry: false,
  })
  // Asked again after a failure, the sign-in stays with what was typed into it.
  if (session.isPending && session.errorUpdateCount === 0) return <Skeleton lines={3} />
  if (!session.data || isSignedOut(session.error)) return <SignIn error={session.error} />
  return (
    <Shell>
      <Suspense fallback={<Skeleton lines={8} />}>
        <Pages />
      </Suspense>
    </Shell>
  )
}

function Pages() {
  return (
    <Switch>
      {inApplication.map(([path, Shown]) => (
        <Route key={path} path={`/a/:application${path}`}>
          {({ application = '', id = '' }: Record<string, string | undefined>) => (
            // Another application, or another object of it, is another page: nothing is carried over.
            <Shown key={`${application} ${id}`} application={application} id={id} />
          )}
        </Route>
      ))}
      <Route path="/applications" component={Applications} />
      <Route path="/connected" component={Connected} />
      <Route path="/health" component={Health} />
      <Route path="/audit" component={Audit} />
      <Route path="/account" component={Account} />
      <Route>
        <Home />
      </Route>
    </Switch>
  )
}

/** The application that was looked at last, or else the first one. */
function Home() {
  const applications = useApplications()
  if (applications.error) return <ErrorNote error={applications.error} />
  if (!applications.data) return <Skeleton />
  const last = localStorage.getItem('waypost-application')
  const found = applications.data.find(({ application_id }) => application_id === last) ?? applications.data[0]
  return <Redirect to={found ? `/a/${found.application_id}` : '/applications'} replace />
}
