import { needApplication } from '../applications/applications.ts'
import { eraseGrant, loseAccess, needGrant } from '../grants/grants.ts'
import { parseLocator } from '../grants/locator.ts'
import { monthStart, summarizeUsage } from '../grants/usage.ts'
import { ApiError } from '../lib/api-error.ts'
import type { BuiltServices } from '../services/services.ts'
import { listApplications } from '../store/applications.ts'
import { billingPeriodsSince } from '../store/billing-periods.ts'
import { findGrant, type GrantRecord, listGrantDocuments } from '../store/grants.ts'
import { noteCommand } from './audit.ts'
import { type Arguments, applicationOf, type Command, needWord, UsageError } from './command.ts'
import { printObject, printRows } from './output.ts'

async function find(services: BuiltServices, args: Arguments): Promise<GrantRecord> {
  const locator = parseLocator(needWord(args, 0, 'GRANT'))
  if (!locator || locator.by === 'me') throw new UsageError('GRANT is an id, an address, or external:<id>')
  const record = await findGrant(services.database, applicationOf(services, args), locator)
  if (!record) throw new ApiError('grant_not_found', 'no such grant in this application')
  return record
}

export const grantsList: Command = {
  usage: 'grants list [--app APPLICATION_ID] [--limit N]',
  summary: 'List the grants of an application, newest first',
  async run(services, args, output) {
    const { id } = await needApplication(services.database, applicationOf(services, args))
    const limit = Number(args.options.limit ?? 200)
    if (!(Number.isInteger(limit) && limit > 0)) throw new UsageError('--limit takes a whole number')
    const filter = { sortBy: 'created_at', order: 'desc' } as const
    const found = await listGrantDocuments(services.database, id, filter, { limit, offset: 0 })
    const grants = found.map((item): Record<string, unknown> => JSON.parse(item.document.text))
    printRows(output, grants, ['id', 'provider', 'email', 'grant_status', 'blocked'], 'No grants yet.')
  },
}

export const grantsShow: Command = {
  usage: 'grants show GRANT [--app APPLICATION_ID]',
  summary: 'Show one grant, by id or address',
  async run(services, args, output) {
    printObject(output, { ...(await find(services, args)).grant })
  },
}

export const grantsRevoke: Command = {
  usage: 'grants revoke GRANT [--app APPLICATION_ID]',
  summary: 'Make a grant invalid; it keeps its data and can be authenticated again',
  async run(services, args, output) {
    const { database, clock, secrets, log, notify } = services
    const { applicationId, grant } = await find(services, args)
    const revoked = await database.transaction(async (tx) => {
      await noteCommand(tx, services, { action: 'adminGrants.revoke', applicationId, target: grant.id })
      return loseAccess(tx, await needGrant(tx, applicationId, grant.id), { secrets, log, notify, now: clock.now() })
    })
    printObject(output, { id: revoked.id, grant_status: revoked.grant_status })
  },
}

export const grantsDelete: Command = {
  usage: 'grants delete GRANT [--app APPLICATION_ID]',
  summary: 'Delete a grant and its data',
  async run(services, args, output) {
    const { database, clock, secrets, log, notify } = services
    const { applicationId, grant } = await find(services, args)
    await database.transaction(async (tx) => {
      await noteCommand(tx, services, { action: 'grants.delete', applicationId, target: grant.id })
      const record = await needGrant(tx, applicationId, grant.id)
      await services.sessions.leave(record, tx)
      await eraseGrant(tx, record, { secrets, log, notify, now: clock.now() })
    })
    printObject(output, { id: grant.id, status: 'deleted' })
  },
}

export const grantsUsage: Command = {
  usage: 'grants usage [--app APPLICATION_ID]',
  summary: 'Billed grants by application: every verified grant that is not deleted',
  async run({ database, clock }, args, output) {
    const now = clock.now()
    const { app } = args.options
    const rows = typeof app === 'string' ? [await needApplication(database, app)] : await listApplications(database)
    const usage = await Promise.all(
      rows.map(async (row) => {
        const periods = await billingPeriodsSince(database, row.id, monthStart(now, 11))
        return summarizeUsage({ id: row.id, name: JSON.parse(row.branding).name }, periods, now)
      }),
    )
    printRows(output, usage, ['application_id', 'name', 'billed_grants', 'by_provider'], 'No applications yet.')
  },
}
