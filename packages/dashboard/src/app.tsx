/** Chooses between sign-in and pages. Everything except the sign-in requires an administrator session. */
import { useQuery } from '@tanstack/react-query'
import type { Session } from '@waypost/sdk'
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { api, isSignedOut } from './api.ts'
import { Shell } from './components/shell.tsx'
import { ErrorNote, Skeleton } from './components/states.tsx'
import { takeFromAddress } from './pages/sign-in/from-address.ts'
import { enter, SignIn } from './pages/sign-in/sign-in.tsx'
import { useFirstApplication } from './queries.ts'
import { RightsContext, rightsIn } from './rights.ts'

const page = <P extends object>(load: () => Promise<ComponentType<P>>) => lazy(async () => ({ default: await load() }))

interface InApplication {
  application: string
}

const Overview = page(async () => (await import('./pages/overview/overview.tsx')).Overview)
const Applications = page(async () => (await import('./pages/applications.tsx')).Applications)
const Settings = page(async () => (await import('./pages/settings/settings.tsx')).Settings)
const ApiKeys = page(async () => (await import('./pages/api-keys/api-keys.tsx')).ApiKeys)
const KeyPage = page(async () => (await import('./pages/api-keys/key-page.tsx')).KeyPage)
const Agents = page(async () => (await import('./pages/agents/agents.tsx')).Agents)
const AgentPage = page(async () => (await import('./pages/agents/agent-page.tsx')).AgentPage)
const Approvals = page(async () => (await import('./pages/approvals/approvals.tsx')).Approvals)
const ApprovalPage = page(async () => (await import('./pages/approvals/approval-page.tsx')).ApprovalPage)
const Grants = page(async () => (await import('./pages/grants/grants.tsx')).Grants)
const GrantPage = page(async () => (await import('./pages/grants/grant.tsx')).GrantPage)
const TimelinePage = page(async () => (await import('./pages/grants/timeline.tsx')).TimelinePage)
const MailboxPage = page(async () => (await import('./pages/mailbox/mailbox.tsx')).MailboxPage)
const CalendarPage = page(async () => (await import('./pages/calendar/calendar.tsx')).CalendarPage)
const ContactsPage = page(async () => (await import('./pages/contacts/contacts.tsx')).ContactsPage)
const Connected = page(async () => (await import('./pages/grants/connected.tsx')).Connected)
const Workspaces = page(async () => (await import('./pages/workspaces/workspaces.tsx')).Workspaces)
const UsagePage = page(async () => (await import('./pages/usage.tsx')).UsagePage)
const Connectors = page(async () => (await import('./pages/connectors/connectors.tsx')).Connectors)
const ConnectorPage = page(async () => (await import('./pages/connectors/connector.tsx')).ConnectorPage)
const Destinations = page(async () => (await import('./pages/webhooks/destination-list.tsx')).Destinations)
const DestinationPage = page(async () => (await import('./pages/webhooks/destination-page.tsx')).DestinationPage)
const TestEvents = page(async () => (await import('./pages/webhooks/test-event.tsx')).TestEvents)
const Signatures = page(async () => (await import('./pages/webhooks/signatures.tsx')).Signatures)
const BookingPages = page(async () => (await import('./pages/booking-pages/booking-pages.tsx')).BookingPages)
const NewBookingPage = page(async () => (await import('./pages/booking-pages/new/new-booking-page.tsx')).NewBookingPage)
const EditBookingPage = page(async () => (await import('./pages/booking-pages/edit/editor.tsx')).EditBookingPage)
const SharePage = page(async () => (await import('./pages/booking-pages/share.tsx')).SharePage)
const GroupEventsPage = page(async () => (await import('./pages/booking-pages/group/group-events.tsx')).GroupEventsPage)
const Bookings = page(async () => (await import('./pages/bookings/bookings.tsx')).Bookings)
const PageBookings = page(async () => (await import('./pages/bookings/bookings.tsx')).PageBookings)
const Explorer = page(async () => (await import('./pages/explorer/explorer.tsx')).Explorer)
const Health = page(async () => (await import('./pages/health/health.tsx')).Health)
const FailedJobs = page(async () => (await import('./pages/failed-jobs.tsx')).FailedJobs)
const Audit = page(async () => (await import('./pages/audit.tsx')).Audit)
const People = page(async () => (await import('./pages/people/people.tsx')).People)
const PersonPage = page(async () => (await import('./pages/people/person.tsx')).PersonPage)
const ServiceAccounts = page(
  async () => (await import('./pages/service-accounts/service-accounts.tsx')).ServiceAccounts,
)
const Account = page(async () => (await import('./pages/account/account.tsx')).Account)
const RequiredActionPage = page(async () => (await import('./pages/sign-in/required-action.tsx')).RequiredActionPage)
const InvitationPage = page(async () => (await import('./pages/sign-in/invitation.tsx')).InvitationPage)

const inApplication: readonly [path: string, page: ComponentType<InApplication & { id: string }>][] = [
  ['', Overview],
  ['/settings/:id?', Settings],
  ['/api-keys', ApiKeys],
  ['/api-keys/:id', KeyPage],
  ['/agents', Agents],
  ['/agents/:id', AgentPage],
  ['/approvals', Approvals],
  ['/approvals/:id', ApprovalPage],
  ['/grants', Grants],
  ['/grants/:id', GrantPage],
  ['/grants/:id/timeline', TimelinePage],
  ['/grants/:id/calendar', CalendarPage],
  ['/grants/:id/mail', MailboxPage],
  ['/grants/:id/contacts', ContactsPage],
  ['/workspaces', Workspaces],
  ['/usage', UsagePage],
  ['/connectors', Connectors],
  ['/connectors/:id', ConnectorPage],
  ['/webhooks', Destinations],
  ['/webhooks/:id', DestinationPage],
  ['/webhooks/:id/test', TestEvents],
  ['/webhooks/:id/signatures', Signatures],
  ['/booking-pages', BookingPages],
  ['/booking-pages/new', NewBookingPage],
  ['/booking-pages/bookings', Bookings],
  ['/booking-pages/:id', EditBookingPage],
  ['/booking-pages/:id/events', GroupEventsPage],
  ['/booking-pages/:id/share', SharePage],
  ['/booking-pages/:id/bookings', PageBookings],
  ['/explorer', Explorer],
]

/** Values from the URL fragment, read once. An invitation can also arrive while the page is open. */
let brought = takeFromAddress()

/** The session of this browser. A one-time link in the URL opens one; a used or expired link has no effect. */
async function currentSession() {
  const { link } = brought
  if (link !== undefined) {
    brought = { linkFailed: true }
    try {
      return (await api().session.create({ body: { link } })).data
    } catch (error) {
      if (!isSignedOut(error)) throw error
    }
  }
  return (await api().session.get()).data
}

/** The invitation in the URL until it is accepted or dismissed. */
function useInvitation(): [token: string | undefined, leave: () => void] {
  const [token, setToken] = useState(brought.invitation)
  useEffect(() => {
    const readInvitation = (): void => {
      const { invitation } = takeFromAddress()
      if (invitation !== undefined) setToken(invitation)
    }
    window.addEventListener('hashchange', readInvitation)
    return () => window.removeEventListener('hashchange', readInvitation)
  }, [])
  return [token, () => setToken(undefined)]
}

export function App() {
  const [invitation, leaveInvitation] = useInvitation()
  const [held, setHeld] = useState(false)
  const session = useQuery({
    queryKey: ['session'],
    queryFn: currentSession,
    staleTime: 60_000,
    refetchInterval: 60_000 * 5,
    refetchIntervalInBackground: false,
    retry: false,
  })
  // When the session is requested again after a failure, the sign-in form keeps its input.
  if (session.isPending && session.errorUpdateCount === 0) return <Skeleton lines={3} />
  if (invitation !== undefined) {
    const onDone = (accepted: Session): void => {
      enter(accepted)
      leaveInvitation()
    }
    return (
      <Suspense fallback={<Skeleton lines={3} />}>
        <InvitationPage key={invitation} token={invitation} onDone={onDone} onLeave={leaveInvitation} />
      </Suspense>
    )
  }
  if (!session.data || isSignedOut(session.error)) return <SignIn error={session.error} brought={brought} />
  if (session.data.required_action !== null || held) {
    return (
      <Suspense fallback={<Skeleton lines={3} />}>
        <RequiredActionPage session={session.data} onHold={setHeld} />
      </Suspense>
    )
  }
  return (
    <RightsContext value={rightsIn(session.data)}>
      <Shell>
        <Suspense fallback={<Skeleton lines={8} />}>
          <Pages />
        </Suspense>
      </Shell>
    </RightsContext>
  )
}

function Pages() {
  return (
    <Switch>
      {inApplication.map(([path, Shown]) => (
        <Route key={path} path={`/a/:application${path}`}>
          {({ application = '', id = '' }: Record<string, string | undefined>) => (
            // A different application or object is a different page, so no state is carried over.
            <Shown key={`${application} ${id}`} application={application} id={id} />
          )}
        </Route>
      ))}
      <Route path="/applications" component={Applications} />
      <Route path="/connected" component={Connected} />
      <Route path="/health" component={Health} />
      <Route path="/failed-jobs" component={FailedJobs} />
      <Route path="/audit" component={Audit} />
      <Route path="/people" component={People} />
      <Route path="/people/:id">{({ id }) => <PersonPage key={id} id={id} />}</Route>
      <Route path="/service-accounts" component={ServiceAccounts} />
      <Route path="/account" component={Account} />
      <Route>
        <Home />
      </Route>
    </Switch>
  )
}

/** The application viewed last, or else the first one. */
function Home() {
  const first = useFirstApplication()
  if (first.error) return <ErrorNote error={first.error} />
  if (first.data === undefined) return <Skeleton />
  return <Redirect to={first.data === null ? '/applications' : `/a/${first.data}`} replace />
}
