/** Housekeeping: the rows and files that have expired are removed, by one node at a time. */
import { limits } from '@waypost/contract'
import { seconds } from '@waypost/platform/clock'
import type { Database } from '@waypost/store/engine/database'
import { purgeApprovals } from '@waypost/store/tables/agents/approvals'
import { addUpCounts } from '@waypost/store/tables/applications/application-counts'
import { lockApplication } from '@waypost/store/tables/applications/applications'
import { purgeAudit } from '@waypost/store/tables/applications/audit'
import { purgeCredentialRequests } from '@waypost/store/tables/applications/credential-requests'
import { purgeIdempotencyKeys } from '@waypost/store/tables/applications/idempotency-keys'
import { claimUntil, moveClaim } from '@waypost/store/tables/applications/installation'
import { forgetDeadNodes, liveNodes } from '@waypost/store/tables/applications/nodes'
import { purgeNonces } from '@waypost/store/tables/applications/service-accounts'
import { removeForgottenCalendars } from '@waypost/store/tables/calendars-contacts/removed-calendars'
import { purgeFigures } from '@waypost/store/tables/figures/health-figures'
import { purgeApplicationFigures } from '@waypost/store/tables/figures/installation-figures'
import { purgeAccessTokens } from '@waypost/store/tables/grants/access-tokens'
import { purgeAuthorizationCodes } from '@waypost/store/tables/grants/authorization-codes'
import { purgeCalls } from '@waypost/store/tables/grants/grant-calls'
import { purgeGrantEvents } from '@waypost/store/tables/grants/grant-events'
import { removeForgotten } from '@waypost/store/tables/grants/grant-tombstones'
import { getGrant, grantsToPurge } from '@waypost/store/tables/grants/grants'
import { purgeLoginSessions } from '@waypost/store/tables/grants/login-sessions'
import { failPutsOf, purgeUploads } from '@waypost/store/tables/grants/uploads'
import { purgeSendReports } from '@waypost/store/tables/mail/send-reports'
import { purgeSends } from '@waypost/store/tables/mail/sends'
import { purgeTracked } from '@waypost/store/tables/mail/tracked-messages'
import { purgeFailedJobs } from '@waypost/store/tables/notifications/failed-jobs'
import { purgeBookings } from '@waypost/store/tables/scheduling/bookings'
import { purgeConfigurations } from '@waypost/store/tables/scheduling/configurations'
import { purgeSchedulingSessions } from '@waypost/store/tables/scheduling/sessions'
import { purgeAgentRows } from './agents/agents.ts'
import { purgeEndedSessions } from './applications/admin-sessions.ts'
import { eraseGrant } from './grants/grants.ts'
import type { BuiltServices } from './services/services.ts'
import { purgeRetained } from './webhooks/retention.ts'

/** Pause between two runs. */
export const housekeepingMs = 60_000
/** Lease of the housekeeping job. If its node dies, no other node runs the job for this long. */
const housekeepingLeaseMs = 600_000
/** Retention of audit entries: days, and number of entries, of refused sign-ins, and of reads. */
const auditDays = 365
const auditEntries = 100_000
const refusedEntries = 10_000
const readEntries = 100_000
/** How long expired codes and tokens are stored. */
const codeHours = 24
/** How long the figures of charts are stored. */
const figureHours = 49
const dayMs = 86_400_000

/** Rows that are removed in small steps, and how many days they are stored. */
const stored: readonly { days: number; purge(database: Database, before: number): Promise<unknown> }[] = [
  // The timeline of a grant has its calls, and its events.
  { days: 7, purge: purgeCalls },
  { days: 90, purge: purgeGrantEvents },
  // The requests of restricted API keys and agents.
  { days: 30, purge: purgeCredentialRequests },
  // Failed jobs wait to be retried or discarded.
  { days: 30, purge: purgeFailedJobs },
  // Bounce reports are matched with messages for this long.
  { days: 30, purge: purgeSends },
  { days: 90, purge: purgeSendReports },
  // Links of tracked messages redirect. A scheduled message may be a month old when it is sent.
  { days: 730, purge: purgeTracked },
  // Bookings, from their end.
  { days: 90, purge: (database, before) => purgeBookings(database, seconds(before)) },
  // Decided approvals.
  { days: 30, purge: purgeApprovals },
]

/** Deletes expired rows, unless another node does so or has just done so. */
export async function runHousekeeping(services: BuiltServices): Promise<void> {
  const { database, clock } = services.storage
  const now = clock.now()
  const until = now + housekeepingLeaseMs
  if (!(await claimUntil(database, 'housekeeping_until', { now, until }))) return
  // A little less than the interval, so that this node may run it next time too.
  const next = now + housekeepingMs * 0.9
  await purgeExpired(services).finally(() => moveClaim(database, 'housekeeping_until', { from: until, to: next }))
}

/** Deletes the bytes of uploads whose node died while it received them. */
export async function failDeadPuts({
  storage: { database, clock },
  runtime: { node, stopping },
}: BuiltServices): Promise<void> {
  const alive = new Set([node.id, ...(await liveNodes(database, clock.now()))])
  // Only one process serves a SQLite file. Elsewhere a node of an older version may be the one that receives it.
  const isDead = (id: string | undefined): boolean => (id === undefined ? database.engine === 'sqlite' : !alive.has(id))
  await failPutsOf(database, isDead, stopping)
}

/** Deletes expired rows. */
export async function purgeExpired(services: BuiltServices): Promise<void> {
  const { config } = services
  const { database, clock, secrets, log } = services.storage
  const { notify } = services.notifications
  const { sessions } = services.accounts
  const { stopping } = services.runtime
  const now = clock.now()
  await purgeIdempotencyKeys(database, now - limits.idempotencyHours * 3_600_000)
  await forgetDeadNodes(database, now)
  await purgeEndedSessions(database, now)
  await purgeNonces(database, now)
  const audited = { entries: auditEntries, refused: refusedEntries, reads: readEntries }
  await purgeAudit(database, { before: now - auditDays * dayMs, ...audited })
  await purgeFigures(database, now - figureHours * 3_600_000)
  await purgeApplicationFigures(database, now - figureHours * 3_600_000)
  await addUpCounts(database, stopping)
  await purgeLoginSessions(database, now)
  await purgeSchedulingSessions(database, now)
  await purgeConfigurations(database, Math.floor(now / 1000))
  // Some time after they expire: a code that is used again still revokes its tokens.
  await purgeAuthorizationCodes(database, now - codeHours * 3_600_000)
  await purgeAccessTokens(database, now - codeHours * 3_600_000)
  await purgeAgentRows(database, now)
  for (const { days, purge } of stored) while (!stopping.aborted && (await purge(database, now - days * dayMs)));
  await failDeadPuts(services)
  while (!stopping.aborted && (await purgeUploads(database, now, stopping)));
  await purgeRetained(database, { days: config.notificationDays, now, stopping })
  await database.transaction((tx) => removeForgotten(tx, now))
  await removeForgottenCalendars(database, now)
  for (const { applicationId, grant } of await grantsToPurge(database, now)) {
    await database.transaction(async (tx) => {
      await lockApplication(tx, applicationId)
      const record = await getGrant(tx, applicationId, grant.id)
      if (record?.purgeAt == null || record.purgeAt > now) return
      await sessions.leave(record, tx)
      await eraseGrant(tx, record, { secrets, log, notify, now })
    })
  }
}
