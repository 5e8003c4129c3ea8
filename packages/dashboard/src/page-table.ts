/** All pages by path. Each is loaded on its first visit. */
import { type ComponentType, lazy } from 'react'

type Page = ComponentType<{ application: string; id: string }>

const page = <N extends string>(load: () => Promise<Record<N, Page>>, name: N): Page =>
  lazy<Page>(async () => ({ default: (await load())[name] }))

const bookings = () => import('./pages/bookings/bookings.tsx')

type Entry = readonly [path: string, page: Page]

/** Paths behind `/a/:application`. */
const applicationPages: readonly Entry[] = [
  ['', page(() => import('./pages/overview/overview.tsx'), 'Overview')],
  ['/settings/:id?', page(() => import('./pages/settings/settings.tsx'), 'Settings')],
  ['/api-keys', page(() => import('./pages/api-keys/api-keys.tsx'), 'ApiKeys')],
  ['/api-keys/:id', page(() => import('./pages/api-keys/key-page.tsx'), 'KeyPage')],
  ['/agents', page(() => import('./pages/agents/agents.tsx'), 'Agents')],
  ['/agents/:id', page(() => import('./pages/agents/agent-page.tsx'), 'AgentPage')],
  ['/approvals', page(() => import('./pages/approvals/approvals.tsx'), 'Approvals')],
  ['/approvals/:id', page(() => import('./pages/approvals/approval-page.tsx'), 'ApprovalPage')],
  ['/grants', page(() => import('./pages/grants/grants.tsx'), 'Grants')],
  ['/grants/:id', page(() => import('./pages/grants/grant.tsx'), 'GrantPage')],
  ['/grants/:id/timeline', page(() => import('./pages/grants/timeline.tsx'), 'TimelinePage')],
  ['/grants/:id/calendar', page(() => import('./pages/calendar/calendar.tsx'), 'CalendarPage')],
  ['/grants/:id/mail', page(() => import('./pages/mailbox/mailbox.tsx'), 'MailboxPage')],
  ['/grants/:id/contacts', page(() => import('./pages/contacts/contacts.tsx'), 'ContactsPage')],
  ['/workspaces', page(() => import('./pages/workspaces/workspaces.tsx'), 'Workspaces')],
  ['/usage', page(() => import('./pages/usage.tsx'), 'UsagePage')],
  ['/connectors', page(() => import('./pages/connectors/connectors.tsx'), 'Connectors')],
  ['/connectors/:id', page(() => import('./pages/connectors/connector.tsx'), 'ConnectorPage')],
  ['/webhooks', page(() => import('./pages/webhooks/destination-list.tsx'), 'Destinations')],
  ['/webhooks/:id', page(() => import('./pages/webhooks/destination-page.tsx'), 'DestinationPage')],
  ['/webhooks/:id/test', page(() => import('./pages/webhooks/test-event.tsx'), 'TestEvents')],
  ['/webhooks/:id/signatures', page(() => import('./pages/webhooks/signatures.tsx'), 'Signatures')],
  ['/booking-pages', page(() => import('./pages/booking-pages/booking-pages.tsx'), 'BookingPages')],
  ['/booking-pages/new', page(() => import('./pages/booking-pages/new/new-booking-page.tsx'), 'NewBookingPage')],
  ['/booking-pages/bookings', page(bookings, 'Bookings')],
  ['/booking-pages/:id', page(() => import('./pages/booking-pages/edit/editor.tsx'), 'EditBookingPage')],
  ['/booking-pages/:id/events', page(() => import('./pages/booking-pages/group/group-events.tsx'), 'GroupEventsPage')],
  ['/booking-pages/:id/share', page(() => import('./pages/booking-pages/share.tsx'), 'SharePage')],
  ['/booking-pages/:id/bookings', page(bookings, 'PageBookings')],
  ['/explorer', page(() => import('./pages/explorer/explorer.tsx'), 'Explorer')],
]

const servicePages: readonly Entry[] = [
  ['/applications', page(() => import('./pages/applications.tsx'), 'Applications')],
  ['/connected', page(() => import('./pages/grants/connected.tsx'), 'Connected')],
  ['/health', page(() => import('./pages/health/health.tsx'), 'Health')],
  ['/failed-jobs', page(() => import('./pages/failed-jobs.tsx'), 'FailedJobs')],
  ['/audit', page(() => import('./pages/audit.tsx'), 'Audit')],
  ['/people', page(() => import('./pages/people/people.tsx'), 'People')],
  ['/people/:id', page(() => import('./pages/people/person.tsx'), 'PersonPage')],
  ['/service-accounts', page(() => import('./pages/service-accounts/service-accounts.tsx'), 'ServiceAccounts')],
  ['/account', page(() => import('./pages/account/account.tsx'), 'Account')],
]

export const pages: readonly Entry[] = [
  ...applicationPages.map(([path, each]): Entry => [`/a/:application${path}`, each]),
  ...servicePages,
]
