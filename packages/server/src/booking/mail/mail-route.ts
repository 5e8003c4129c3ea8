/** Whether mails about a booking are sent, and from where. */
import type { Configuration, Grant } from '@waypost/contract'
import type { Provider } from '@waypost/providers/provider'
import { canDo } from '@waypost/providers/registry'
import { collectiveHost, roundRobinHosts } from '@waypost/scheduling/configurations/participants'
import type { Queries } from '@waypost/store/engine/database'
import { findGrant, type GrantRecord, getGrant } from '@waypost/store/tables/grants/grants'
import type { Sessions } from '../../grants/sessions.ts'
import type { BookingMailKind } from '../bookings/booking-record.ts'
import { isRoundRobin } from '../bookings/cast.ts'
import { type ConfigurationRecord, grantLocatorOf } from '../configurations.ts'
import { workflowsFor } from './workflow-mail.ts'

/** Whether the account can send mail in its own name. */
export const canSend = (provider: Provider, grant: Pick<Grant, 'scope' | 'settings'>): boolean =>
  canDo(provider, grant, { id: 'messages.send', resource: 'messages', operation: 'send' })

/** Whether the provider notifies guests of every change, whatever the request says. */
function alwaysNotifies({ limits }: Provider): boolean {
  const limit = limits?.['events.create']?.query?.notify_participants
  return limit?.answer === 'ignored' && (limit.values?.includes(false) ?? true)
}

/** Changes of the event itself, of which a provider notifies its guests. */
const ofEvent: ReadonlySet<BookingMailKind> = new Set(['confirmed', 'rescheduled', 'cancelled'])

/**
 * Whether the built-in mails of a kind are sent. The provider sends those about the event where it is told to, or
 * always does. Requests, refusals and reminders are known to this service only.
 */
export function isBuiltInSent(kind: BookingMailKind, configuration: Configuration, provider: Provider): boolean {
  const { event_booking: event, group_booking: group } = configuration
  if ((configuration.type === 'group' ? group?.disable_emails : event.disable_emails) === true) return false
  // The application confirms such a booking, so there is no request to the organizer.
  if (kind === 'requested' && event.booking_type === 'custom-confirmation') return false
  return !isProviderSent(kind, configuration, provider)
}

/** Whether the provider of the calendar sends the mails of a kind instead of this service. */
const isProviderSent = (
  kind: BookingMailKind,
  { type, event_booking: event }: Configuration,
  provider: Provider,
): boolean => {
  // Seats are taken quietly: the other guests of a group event have no news.
  const isRequested = type !== 'group' && event.notify_participants === true
  return ofEvent.has(kind) && (isRequested || alwaysNotifies(provider))
}

export interface GuestMailTools {
  database: Queries
  sessions: Sessions
  /** The service's own mail identity, if it has one. */
  mail: { address: string } | undefined
}

type Page = Pick<ConfigurationRecord, 'applicationId' | 'grantId' | 'configuration'>

/**
 * Whether every mail of some kinds reaches the guest, with the booked host or else with each host of the page. A page
 * that promises a mail must be sure of it: where any of the possible hosts can send none, and nobody sends it instead,
 * nothing is promised.
 */
export async function isGuestMailed(
  tools: GuestMailTools,
  page: Page,
  { kinds, hostGrantId }: { kinds: readonly BookingMailKind[]; hostGrantId?: string | undefined },
): Promise<boolean> {
  const hosts =
    hostGrantId === undefined
      ? await hostsOf(tools, page)
      : [await getGrant(tools.database, page.applicationId, hostGrantId)]
  if (hosts.length === 0) return false
  const replaced = await Promise.all(
    kinds.map(async (kind) => (await workflowsFor(tools.database, page, kind)).length > 0),
  )
  return hosts.every(
    (host) =>
      host !== undefined &&
      kinds.every((kind, index) => isMailSent(tools, page, { host, kind, isReplaced: replaced[index] })),
  )
}

/** The accounts that may host a booking; undefined stands for one that is gone. */
async function hostsOf(tools: GuestMailTools, page: Page): Promise<(GrantRecord | undefined)[]> {
  const { applicationId, configuration } = page
  if (configuration.type === 'group') return [await getGrant(tools.database, applicationId, page.grantId)]
  const { participants } = configuration
  const host = collectiveHost(participants)
  const hosts = isRoundRobin(configuration) ? roundRobinHosts(participants) : host ? [host] : []
  return Promise.all(hosts.map((each) => findGrant(tools.database, applicationId, grantLocatorOf(each))))
}

function isMailSent(
  { sessions, mail }: GuestMailTools,
  { configuration }: Page,
  { host, kind, isReplaced }: { host: GrantRecord; kind: BookingMailKind; isReplaced: boolean | undefined },
): boolean {
  const provider = sessions.providerOf(host, 'events.create')
  const canSendHere = canSend(provider, host.grant) || mail !== undefined
  if (isReplaced || isBuiltInSent(kind, configuration, provider)) return canSendHere
  if (!isProviderSent(kind, configuration, provider)) return false
  // Calendars without a mail server of their own have their invitations sent by this service.
  return provider.local !== undefined || provider.itip !== undefined ? canSendHere : true
}
