/**
 * Imports a v2 export: account after account, each in one transaction, so that an account is imported completely or
 * not at all. It can be interrupted and repeated while a server runs, and sends no notifications.
 */

import { ApiError } from '@waypost/platform/api-error'
import { sleep } from '@waypost/platform/clock'
import { emailKey } from '@waypost/platform/email-key'
import { isObject } from '@waypost/platform/json/values'
import { type Database, StoreUnavailable } from '@waypost/store/engine/database'
import { needApplication } from '../applications/applications.ts'
import type { Owner } from '../grants/verify-credentials.ts'
import { type AccountPlan, planAccount } from './account-plan.ts'
import { openExport } from './export-file.ts'
import { type ImportTools, importAccount } from './import-account.ts'
import { addCounts, addRemarks, emptyReport, type ImportReport, type Remark } from './report.ts'
import type { AccountItems } from './v2-objects.ts'
import type { AccountResult } from './writing.ts'

export interface ImportOptions extends ImportTools {
  database: Database
  applicationId: string
  /** Runs everything without saving anything. */
  dryRun: boolean
  progress(at: ImportProgress): void
}

export interface ImportProgress {
  done: number
  total: number
  report: ImportReport
}

/** Carries the result of a dry run out of its rolled-back transaction. */
class Undone extends Error {
  readonly result: AccountResult

  constructor(result: AccountResult) {
    super('a dry run keeps nothing')
    this.result = result
  }
}

const maxAttempts = 5
const betweenAttemptsMs = 1_000
/**
 * On SQLite one process writes at a time and waiting is not fair, so other processes get a chance after each account.
 */
const maxPauseMs = 100

/** Imports a file into an application; throws `ExportUnreadable` if the whole file cannot be read. */
export async function importExport(file: string, options: ImportOptions): Promise<ImportReport> {
  const { database, applicationId, dryRun, clock } = options
  const application = await needApplication(database, applicationId)
  await using source = await openExport(file)
  const report = emptyReport(applicationId, dryRun)
  addRemarks(report.skipped, source.remarks.listed)
  report.skipped.total += source.remarks.total - source.remarks.listed.length
  const owner = {
    id: applicationId,
    workspaceId: application.default_workspace_id,
    grantLimit: application.grant_limit,
  }
  const seen: Seen = { ids: new Map(), addresses: new Map() }
  let done = 0
  for await (const items of source.items()) {
    const started = clock.now()
    try {
      const counted = dryRun ? afterDryRun(owner, report) : owner
      await importItems(items, { options, report, seen, owner: counted, limit: owner.grantLimit })
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      report.stopped = `${items.place}: ${error.message}; what was imported so far is kept: run it again`
      return report
    }
    options.progress({ done: ++done, total: source.accounts, report })
    if (database.engine === 'sqlite') await sleep(Math.min(clock.now() - started, maxPauseMs))
  }
  return report
}

/** Grants that a dry run rolled back still count toward the limit. */
const afterDryRun = (owner: Owner, { accounts }: ImportReport): Owner => ({
  ...owner,
  grantLimit: owner.grantLimit === null ? null : owner.grantLimit - accounts.created,
})

/** Places of the ids and addresses found so far. */
interface Seen {
  ids: Map<string, string>
  addresses: Map<string, string>
}

interface Course {
  options: ImportOptions
  report: ImportReport
  seen: Seen
  owner: Owner
  /** The application's grant limit. */
  limit: number | null
}

async function importItems(items: AccountItems, course: Course): Promise<void> {
  const { report } = course
  const planned = planAccount(items)
  if (!planned.ok) return skipAccount(report, items, planned.reason)
  const plan = planned.value
  const twice = metBefore(course.seen, plan)
  if (twice) return skipAccount(report, items, twice)
  let result: AccountResult
  try {
    result = await writeAccount(plan, course)
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    return skipAccount(report, items, reasonOf(error, course))
  }
  report.accounts[result.outcome]++
  report.connector_created ||= result.connectorCreated
  addCounts(report.calendars, result.calendars)
  addCounts(report.events, result.events)
  addCounts(report.dropped, plan.dropped)
  for (const { object } of plan.skipped) {
    if (object === 'calendar') report.calendars.skipped++
    if (object === 'event') report.events.skipped++
  }
  addRemarks(report.skipped, plan.skipped)
  addRemarks(report.skipped, result.skipped)
  addRemarks(report.altered, plan.altered)
  addRemarks(report.altered, result.altered)
}

function reasonOf(error: unknown, { limit }: Course): string {
  if (!(error instanceof ApiError)) return `internal error: ${String(error)}`
  // A dry run uses a reduced limit, which must not appear in the message.
  if (error.code !== 'grant_limit_reached') return error.message
  return `the application allows ${limit} grants: delete some, or import into one without a limit (waypost apps create)`
}

/** Why an account duplicates another one in the file: ids identify accounts, and an address has one grant. */
function metBefore({ ids, addresses }: Seen, { id, email, place }: AccountPlan): string | undefined {
  const key = emailKey(email)
  const sameId = ids.get(id)
  const sameAddress = addresses.get(key)
  if (sameId !== undefined) return `id: the account at ${sameId} has it already`
  if (sameAddress !== undefined) return `email: the account at ${sameAddress} has it already; an address has one grant`
  ids.set(id, place)
  addresses.set(key, place)
  return undefined
}

const field = (value: unknown, ...names: string[]): string | null => {
  const found = isObject(value) ? names.map((name) => value[name]).find((one) => typeof one === 'string') : undefined
  return typeof found === 'string' ? found : null
}

function skipAccount(report: ImportReport, { account, place }: AccountItems, reason: string): void {
  const id = field(account, 'id', 'account_id')
  const skipped: Remark = {
    account: field(account, 'email', 'email_address') ?? id,
    object: 'account',
    id,
    place,
    reason,
  }
  report.accounts.skipped++
  addRemarks(report.skipped, [skipped])
}

/** One transaction, with one retry if the store is busy or briefly unavailable. */
async function writeAccount(plan: AccountPlan, { options, owner }: Course): Promise<AccountResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await options.database.transaction(async (tx) => {
        const result = await importAccount(tx, owner, plan, options)
        if (options.dryRun) throw new Undone(result)
        return result
      })
    } catch (error) {
      if (error instanceof Undone) return error.result
      if (!(error instanceof StoreUnavailable) || attempt === maxAttempts) throw error
      await sleep(betweenAttemptsMs, options.stopping)
    }
  }
}
