/** Writes one account of the file: grant, calendars, events. Everything happens in the caller's transaction. */
import type { CustomAuthentication, Grant } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import { emailKey } from '@waypost/platform/email-key'
import type { Log } from '@waypost/platform/log'
import type { Io } from '@waypost/providers/io'
import type { Providers } from '@waypost/providers/registry'
import { virtual } from '@waypost/providers/virtual'
import type { Queries } from '@waypost/store/engine/database'
import { lockApplication } from '@waypost/store/tables/applications/applications'
import { getConnector } from '@waypost/store/tables/applications/connectors'
import { importedObjects } from '@waypost/store/tables/calendars-contacts/imported-objects'
import { virtualTables } from '@waypost/store/tables/calendars-contacts/virtual-tables'
import { findGrantByEmail, getGrant, updateGrant } from '@waypost/store/tables/grants/grants'
import { createConnector } from '../applications/connectors.ts'
import { grantAccess } from '../grants/grants.ts'
import { silently } from '../grants/notify.ts'
import { authenticate, type Owner } from '../grants/verify-credentials.ts'
import type { AccountPlan } from './account-plan.ts'
import { refuseTooManyCalendars, removeGoneCalendars, writeCalendars } from './import-calendars.ts'
import { removeGoneEvents, writeEvents } from './import-events.ts'
import { noCalendars, noEvents } from './report.ts'
import { type AccountResult, saveStamps, stampKey, type Writing } from './writing.ts'

export interface ImportTools {
  secrets: Secrets
  log: Log
  clock: Clock
  providers: Providers
  ioFor(kind: string): Io
  /** Aborts when the import must end. */
  stopping: AbortSignal
  /** The service's own address, for the calendar ids of events that have none. */
  baseUrl: string
}

/** Updates the store from an account of the file; throws an `ApiError` with the reason if it cannot. */
export async function importAccount(
  tx: Queries,
  owner: Owner,
  plan: AccountPlan,
  tools: ImportTools,
): Promise<AccountResult> {
  const now = tools.clock.now()
  // One transaction of an application at a time, as for every new grant.
  await lockApplication(tx, owner.id)
  const { grant, outcome, connectorCreated } = await grantOf(tx, owner, plan, tools)
  const at = { applicationId: owner.id, grantId: grant.id, kind: grant.provider }
  const imported = importedObjects(tx, owner.id, grant.id)
  const writing: Writing = {
    plan,
    grant,
    tables: virtualTables(tx, at),
    imported,
    stamps: new Map((await imported.list()).map((stamp) => [stampKey(stamp.kind, stamp.id), stamp])),
    newStamps: new Set(),
    now,
    baseUrl: tools.baseUrl,
    result: { outcome, connectorCreated, calendars: noCalendars(), events: noEvents(), skipped: [], altered: [] },
  }
  await writing.tables.lock()
  const calendars = await writeCalendars(writing)
  const events = await writeEvents(writing, calendars)
  await removeGoneEvents(writing, events)
  await removeGoneCalendars(writing, calendars)
  await refuseTooManyCalendars(writing)
  await saveStamps(writing)
  const { result } = writing
  const changes = [result.calendars, result.events].flatMap(
    ({ created, updated, deleted }) => created + updated + deleted,
  )
  if (outcome === 'unchanged' && changes.some((count) => count > 0)) result.outcome = 'updated'
  return result
}

interface GrantResult {
  grant: Grant
  outcome: AccountResult['outcome']
  connectorCreated: boolean
}

/** The grant of the account's address: an existing one, or a new one under the usual rules for grants. */
async function grantOf(tx: Queries, owner: Owner, plan: AccountPlan, tools: ImportTools): Promise<GrantResult> {
  const existing = await findGrantByEmail(tx, owner.id, emailKey(plan.email))
  if (!existing) {
    const connectorCreated = await ensureConnector(tx, owner.id, tools)
    const made = await newGrant(tx, owner, plan, tools)
    return { grant: await linkGrant(tx, owner.id, made.id, plan), outcome: 'created', connectorCreated }
  }
  const { grant, status } = existing
  if (grant.provider !== virtual.kind) {
    throw new ApiError('conflict', `the address has the grant ${grant.id} of provider ${grant.provider}`)
  }
  if (status !== 'valid') {
    throw new ApiError(
      'conflict',
      `the grant ${grant.id} of this address is ${status}: authenticate it again, or delete it`,
    )
  }
  if (grant.account_id !== undefined && grant.account_id !== plan.id) {
    throw new ApiError(
      'conflict',
      `the grant ${grant.id} of this address was imported from the account ${grant.account_id}`,
    )
  }
  const linked = await linkGrant(tx, owner.id, grant.id, plan)
  const same = JSON.stringify(linked) === JSON.stringify(grant)
  return { grant: linked, outcome: same ? 'unchanged' : 'updated', connectorCreated: false }
}

async function newGrant(tx: Queries, owner: Owner, plan: AccountPlan, tools: ImportTools): Promise<Grant> {
  const request: CustomAuthentication = { provider: virtual.kind, settings: { email: plan.email } }
  const account = await authenticate(tx, owner, request, tools)
  return grantAccess(tx, owner, account, { ...tools, notify: silently, now: tools.clock.now() })
}

async function ensureConnector(tx: Queries, applicationId: string, tools: ImportTools): Promise<boolean> {
  if (await getConnector(tx, applicationId, virtual.kind)) return false
  await createConnector(tx, applicationId, { provider: virtual.kind }, { ...tools, now: tools.clock.now() })
  return true
}

/** Stores the old id, the name and the organizer on the grant; other metadata belongs to the client and stays. */
async function linkGrant(tx: Queries, applicationId: string, id: string, plan: AccountPlan): Promise<Grant> {
  const record = await getGrant(tx, applicationId, id)
  if (!record) throw new Error(`the grant ${id} vanished inside a transaction`)
  const metadata = { ...record.grant.metadata, ...plan.metadata }
  const grant: Grant = { ...record.grant, metadata, account_id: plan.id }
  if (JSON.stringify(grant) !== JSON.stringify(record.grant)) await updateGrant(tx, { ...record, grant })
  return grant
}
