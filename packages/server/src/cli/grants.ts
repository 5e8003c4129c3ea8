import { listApplications } from '@waypost/store/tables/applications/applications'
import { billedByMonth } from '@waypost/store/tables/applications/billing-periods'
import { readGrantPage } from '@waypost/store/tables/grants/grant-pages'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { eraseGrant, loseAccess, needGrant } from '../grants/grants.ts'
import { withReason } from '../grants/refused-credentials.ts'
import { summarizeUsage } from '../grants/usage.ts'
import type { BuiltServices } from '../services/services.ts'
import { audited } from './audit.ts'
import { findApplication, findNamedGrant } from './named.ts'
import { type Arguments, needWord, numberOption, type StoreRun, textOption } from './program/command.ts'
import { printList, printObject, printRows } from './program/output.ts'

async function find(services: BuiltServices, args: Arguments): Promise<GrantRecord> {
  const word = needWord(args, 0, 'GRANT')
  const { id } = await findApplication(services, args)
  return findNamedGrant(services.storage.database, id, word)
}

export const grantsList: StoreRun = async (services, args, output) => {
  const { id } = await findApplication(services, args)
  const limit = numberOption(args, 'limit')
  const filter = { sortBy: 'created_at', order: 'desc' } as const
  const page = await readGrantPage(services.storage.database, id, filter, { limit: limit + 1, offset: 0 })
  const grants = [...page.grants]
  const columns = ['id', 'provider', 'email', 'grant_status', 'blocked']
  printList(output, grants, { columns, empty: 'No grants yet.', limit })
}

export const grantsShow: StoreRun = async (services, args, output) => {
  const { applicationId, grant } = await find(services, args)
  const { database: queries, seals } = services.storage
  printObject(output, { ...(await withReason({ queries, seals, applicationId }, grant)) })
}

/** What a grant loses its access or its data with. */
const toolsOf = ({ storage: { secrets, log }, notifications: { notify } }: BuiltServices, now: number) => ({
  secrets,
  log,
  notify,
  now,
})

export const grantsRevoke: StoreRun = async (services, args, output) => {
  const { applicationId, grant } = await find(services, args)
  const what = { action: 'adminGrants.revoke', applicationId, target: grant.id }
  const revoked = await audited(services, what, async (tx, now) => {
    const record = await needGrant(tx, applicationId, grant.id)
    return loseAccess(tx, record, { reason: 'revoked' }, toolsOf(services, now))
  })
  printObject(output, { id: revoked.id, grant_status: revoked.grant_status })
}

export const grantsDelete: StoreRun = async (services, args, output) => {
  const { applicationId, grant } = await find(services, args)
  await audited(services, { action: 'grants.delete', applicationId, target: grant.id }, async (tx, now) => {
    const record = await needGrant(tx, applicationId, grant.id)
    await services.accounts.sessions.leave(record, tx)
    await eraseGrant(tx, record, toolsOf(services, now))
  })
  printObject(output, { id: grant.id, status: 'deleted' })
}

export const grantsUsage: StoreRun = async (services, args, output) => {
  const { database, clock } = services.storage
  const now = clock.now()
  const isOne = textOption(args, 'app') !== undefined
  const rows = isOne ? [await findApplication(services, args)] : await listApplications(database)
  const usage = await Promise.all(
    rows.map(async (row) =>
      summarizeUsage({ id: row.id, name: JSON.parse(row.branding).name }, await billedByMonth(database, row.id), now),
    ),
  )
  printRows(output, usage, ['application_id', 'name', 'billed_grants', 'by_provider'], 'No applications yet.')
}
