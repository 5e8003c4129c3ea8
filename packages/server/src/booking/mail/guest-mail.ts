/**
 * Whether guests of a booking page get mails, for the texts of the page. A page that promises a mail must be sure of
 * it: where any of the possible hosts can send none, and nobody sends it instead, nothing is promised.
 */
import type { Configuration } from '@waypost/contract'
import { collectiveHost, roundRobinHosts } from '@waypost/scheduling/configurations/participants'
import type { Queries } from '@waypost/store/engine/database'
import { findGrant, type GrantRecord, getGrant } from '@waypost/store/tables/grants/grants'
import type { Sessions } from '../../grants/sessions.ts'
import type { BookingMailKind } from '../bookings/booking-record.ts'
import { isRoundRobin } from '../bookings/cast.ts'
import { grantLocatorOf } from '../configurations.ts'
import { canSend, isBuiltInSent, isProviderSent } from './mail-route.ts'
import { workflowsFor } from './workflow-mail.ts'

export interface GuestMailTools {
  database: Queries
  sessions: Sessions
  /** The service's own mail identity, if it has one. */
  mail: { address: string } | undefined
}

interface Page {
  applicationId: string
  /** The owner of the configuration. */
  grantId: string
  configuration: Configuration
}

/** Whether every mail of some kinds reaches the guest, with the booked host or else with each host of the page. */
export async function isGuestMailed(
  tools: GuestMailTools,
  page: Page,
  { kinds, hostGrantId }: { kinds: readonly BookingMailKind[]; hostGrantId?: string | undefined },
): Promise<boolean> {
  const hosts = hostGrantId === undefined ? await hostsOf(tools, page) : [await accountOf(tools, page, hostGrantId)]
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

const accountOf = ({ database }: GuestMailTools, { applicationId }: Page, id: string) =>
  getGrant(database, applicationId, id)

/** The accounts that may host a booking; undefined stands for one that is gone. */
async function hostsOf(tools: GuestMailTools, page: Page): Promise<(GrantRecord | undefined)[]> {
  const { applicationId, configuration } = page
  if (configuration.type === 'group') return [await accountOf(tools, page, page.grantId)]
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
