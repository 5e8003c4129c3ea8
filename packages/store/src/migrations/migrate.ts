import { hostname } from 'node:os'
import { newShortName } from '@waypost/platform/ids'
import { version } from '@waypost/platform/version'
import { type Database, type Engine, type Queries, sql } from '../engine/database.ts'
import { refuseForeignDatabase } from '../engine/foreign-database.ts'
import { refusePartlyDistributed } from '../sharding/new-tables.ts'
import { firstTables } from './0001-first-tables.ts'
import { calendars } from './0002-calendars.ts'
import { importedObjects } from './0003-imported-objects.ts'
import { notifications } from './0004-notifications.ts'
import { seriesRevisions } from './0005-series-revisions.ts'
import { watching } from './0006-watching.ts'
import { messageMetadata } from './0007-message-metadata.ts'
import { sending } from './0008-sending.ts'
import { signaturesTemplates } from './0009-signatures-templates.ts'
import { tracking } from './0010-tracking.ts'
import { sendReports } from './0011-send-reports.ts'
import { sendPayloads } from './0012-send-payloads.ts'
import { providerTokens } from './0013-provider-tokens.ts'
import { hostedSignIn } from './0014-hosted-sign-in.ts'
import { objectMetadata } from './0015-object-metadata.ts'
import { dashboard } from './0016-dashboard.ts'
import { orderOfIds } from './0017-order-of-ids.ts'
import { sealedNotifications } from './0018-sealed-notifications.ts'
import { judgedByTime } from './0019-judged-by-time.ts'
import { grantFilters } from './0020-grant-filters.ts'
import { idempotencySeeds } from './0021-idempotency-seeds.ts'
import { mailUse } from './0022-mail-use.ts'
import { sealedMail } from './0023-sealed-mail.ts'
import { boundedReads } from './0024-bounded-reads.ts'
import { omittedVisibility } from './0025-omitted-visibility.ts'
import { invitations } from './0026-invitations.ts'
import { contacts } from './0027-contacts.ts'
import { contactPictures } from './0028-contact-pictures.ts'
import { renewedPushes } from './0029-renewed-pushes.ts'
import { countedStates } from './0030-counted-states.ts'
import { auditedReads } from './0031-audited-reads.ts'
import { listedOrders } from './0032-listed-orders.ts'
import { overview } from './0033-overview.ts'
import { people } from './0034-people.ts'
import { notificationDays } from './0035-notification-days.ts'
import { applicationCounts } from './0036-application-counts.ts'
import { applicationKeys } from './0037-application-keys.ts'
import { foundByIndex } from './0040-found-by-index.ts'
import { nameParts } from './0041-name-parts.ts'
import { sharedLeases } from './0042-shared-leases.ts'
import { revokedTokens } from './0043-revoked-tokens.ts'
import { deliveryLeases } from './0044-delivery-leases.ts'
import { keyCreators } from './0047-key-creators.ts'
import { schemaChanges } from './0048-schema-changes.ts'
import { changes } from './changes.ts'
import { type StoredSchema, schemaProblem } from './compatibility.ts'
import { type RecordedStep, recordDone, recordedSteps, stepsOf } from './recorded-steps.ts'
import { type BackfillStep, createIndex, type SchemaChange, splitSteps } from './schema-change.ts'
import { withShortLocks } from './steps/lock-waits.ts'
import type { Blocker, Report } from './steps/progress.ts'
import { type Pace, runStep, usualPace } from './steps/run-step.ts'
import { createSchemaWork, type SchemaWork } from './steps/schema-work.ts'

export interface Migration {
  number: number
  name: string
  script(engine: Engine): string
}

/** In order, and complete: later changes of the schema are in `changes.ts`. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'first-tables', script: () => firstTables },
  { number: 2, name: 'calendars', script: () => calendars },
  { number: 3, name: 'imported-objects', script: () => importedObjects },
  { number: 4, name: 'notifications', script: notifications },
  { number: 5, name: 'series-revisions', script: () => seriesRevisions },
  { number: 6, name: 'watching', script: () => watching },
  { number: 7, name: 'message-metadata', script: () => messageMetadata },
  { number: 8, name: 'sending', script: () => sending },
  { number: 9, name: 'signatures-templates', script: () => signaturesTemplates },
  { number: 10, name: 'tracking', script: () => tracking },
  { number: 11, name: 'send-reports', script: () => sendReports },
  { number: 12, name: 'send-payloads', script: () => sendPayloads },
  { number: 13, name: 'provider-tokens', script: () => providerTokens },
  { number: 14, name: 'hosted-sign-in', script: () => hostedSignIn },
  { number: 15, name: 'object-metadata', script: () => objectMetadata },
  { number: 16, name: 'dashboard', script: () => dashboard },
  { number: 17, name: 'order-of-ids', script: orderOfIds },
  { number: 18, name: 'sealed-notifications', script: sealedNotifications },
  { number: 19, name: 'judged-by-time', script: () => judgedByTime },
  { number: 20, name: 'grant-filters', script: () => grantFilters },
  { number: 21, name: 'idempotency-seeds', script: () => idempotencySeeds },
  { number: 22, name: 'mail-use', script: () => mailUse },
  { number: 23, name: 'sealed-mail', script: sealedMail },
  { number: 24, name: 'bounded-reads', script: () => boundedReads },
  { number: 25, name: 'omitted-visibility', script: () => omittedVisibility },
  { number: 26, name: 'invitations', script: () => invitations },
  { number: 27, name: 'contacts', script: contacts },
  { number: 28, name: 'contact-pictures', script: contactPictures },
  { number: 29, name: 'renewed-pushes', script: () => renewedPushes },
  { number: 30, name: 'counted-states', script: () => countedStates },
  { number: 31, name: 'audited-reads', script: () => auditedReads },
  { number: 32, name: 'listed-orders', script: listedOrders },
  { number: 33, name: 'overview', script: () => overview },
  { number: 34, name: 'people', script: () => people },
  { number: 35, name: 'notification-days', script: notificationDays },
  { number: 36, name: 'application-counts', script: applicationCounts },
  { number: 37, name: 'application-keys', script: applicationKeys },
  { number: 40, name: 'found-by-index', script: () => foundByIndex },
  { number: 41, name: 'name-parts', script: nameParts },
  { number: 42, name: 'shared-leases', script: () => sharedLeases },
  { number: 43, name: 'revoked-tokens', script: () => revokedTokens },
  { number: 44, name: 'delivery-leases', script: () => deliveryLeases },
  { number: 47, name: 'key-creators', script: () => keyCreators },
]

const applied = sql<{ number: number }>({
  name: 'migrations.applied',
  text: 'select number from migrations order by number',
  reads: ['migrations'],
})
const record = sql({
  name: 'migrations.record',
  text: 'insert into migrations (number, name, applied_at) values ($1, $2, $3)',
  writes: ['migrations'],
})

export interface MigrateOptions {
  /** For tests of single migrations. */
  migrations?: readonly Migration[]
  /** For tests of changes that no version has. */
  changes?: readonly SchemaChange[]
  /** The version of this program. */
  version?: string
  /** Names this process to others that wait for it. */
  runner?: string
  /** Called while a step takes long or waits. */
  report?: Report
  pace?: Partial<Pace>
}

type Needed = Required<Omit<MigrateOptions, 'pace'>> & { pace: Pace }

const neededOf = ({ pace, ...options }: MigrateOptions): Needed => ({
  ...{
    migrations,
    changes,
    version,
    runner: `${hostname()}/${process.pid}/${newShortName(6)}`,
    report: () => undefined,
  },
  ...options,
  pace: { ...usualPace, ...pace },
})

/**
 * Brings the store to the schema of this version, except for steps that run in the background. Returns the names of
 * the migrations and changes that this process applied.
 */
export async function migrate(database: Database, now: number, options: MigrateOptions = {}): Promise<string[]> {
  const needed = neededOf(options)
  const { names, isNew } = await applyMigrations(database, now, needed)
  return isNew ? names : [...names, ...(await applyChanges(database, needed))]
}

/** The steps that `migrate` leaves for the time after the start. */
export function laterSteps(database: Database, options: MigrateOptions = {}): SchemaWork {
  const { changes: all, runner, report, pace } = neededOf(options)
  return createSchemaWork({ database, changes: all, runner, report, pace })
}

type Execute = (script: string) => Promise<void>

/** Applies missing migrations in one transaction. A new store also gets all changes, so that nobody sees half of it. */
function applyMigrations(
  database: Database,
  now: number,
  needed: Needed,
): Promise<{ names: string[]; isNew: boolean }> {
  const { engine } = database
  const first = { number: needed.migrations.at(-1)?.number ?? 0, name: 'migrations' }
  const waited = (blockedBy: readonly Blocker[]): void =>
    needed.report({
      ...{ change: first.number, name: first.name, step: 'tables', kind: 'expand', runner: needed.runner },
      ...{ isOwn: true, since: now, done: 0, total: 0, blockedBy },
    })
  const work = async (tx: Queries, execute: Execute): Promise<{ names: string[]; isNew: boolean }> => {
    await refuseForeignDatabase(database, tx)
    await execute(
      'create table if not exists migrations (number integer primary key, name text not null, applied_at bigint not null)',
    )
    if (needed.changes.length > 0) await execute(schemaChanges)
    const done = (await tx.all(applied)).map((row) => row.number)
    const steps = needed.changes.length > 0 ? await recordedSteps(tx) : []
    const problem = schemaProblem({ migrations: done, steps }, needed)
    if (problem !== undefined) throw new Error(problem)
    const missing = needed.migrations.filter(({ number }) => !done.includes(number))
    for (const migration of missing) {
      await execute(migration.script(engine))
      await tx.run(record, [migration.number, migration.name, now])
    }
    const isNew = done.length === 0
    if (isNew) await applyToNew(tx, execute, { engine, now, ...needed })
    return { names: [...missing, ...(isNew ? needed.changes : [])].map(({ name }) => name), isNew }
  }
  return withShortLocks(database, work, { what: 'the migration', waits: needed.pace.waits, waited })
}

/** Runs all steps at once: nobody uses the tables yet. */
async function applyToNew(
  tx: Queries,
  execute: Execute,
  { engine, now, changes: all, runner }: Needed & { engine: Engine; now: number },
): Promise<void> {
  for (const planned of stepsOf(all, engine)) {
    const { step } = planned
    if (step.kind === 'backfill') await fillAtOnce(tx, step)
    else await execute(step.kind === 'index' ? createIndex(step) : step.text)
    await recordDone(tx, planned, { runner, now })
  }
}

async function fillAtOnce(tx: Queries, step: BackfillStep): Promise<void> {
  let after: string | undefined
  do after = (await step.batch(tx, after))?.after
  while (after !== undefined)
}

/** Runs the steps that a node needs before it serves, each in its own transaction. SQLite has no background steps. */
async function applyChanges(database: Database, needed: Needed): Promise<string[]> {
  const { runner, report, pace } = needed
  const options = { database, runner, report, pace, signal: new AbortController().signal }
  const applied = new Set<string>()
  const done = new Set<string>()
  if (needed.changes.length > 0) {
    for (const { number, step, state } of await recordedSteps(database))
      if (state === 'done') done.add(`${number} ${step}`)
  }
  for (const change of needed.changes) {
    const steps = change.steps(database.engine)
    const { first, later } = splitSteps(steps)
    const atStart =
      database.engine === 'sqlite' ? [...first, ...later.filter(({ kind }) => kind !== 'contract')] : first
    for (const step of atStart) {
      if (done.has(`${change.number} ${step.name}`)) continue
      await refusePartlyDistributed(database)
      if ((await runStep(options, { change, step })) === 'done') applied.add(change.name)
    }
  }
  return [...applied]
}

/** Throws if a newer version has changed the store, or is about to, in a way that this version cannot work with. */
export async function checkSchema(
  database: Database,
  { version: own = version, changes: known = changes }: Pick<MigrateOptions, 'version' | 'changes'> = {},
): Promise<void> {
  const stored = { migrations: [], steps: await recordedSteps(database) }
  const problem = schemaProblem(stored, { version: own, migrations, changes: known })
  if (problem !== undefined) throw new Error(problem)
}

/** The scripts that create all tables of a new store, in order. */
export const schemaScripts = (engine: Engine): string[] => [
  'create table migrations (number integer primary key, name text not null, applied_at bigint not null)',
  ...migrations.map(({ script }) => script(engine)),
  ...stepsOf(changes, engine).flatMap(({ step }) => {
    if (step.kind === 'backfill') return []
    return step.kind === 'index' ? createIndex(step) : step.text
  }),
]

/** The migrations and changes of this version that the store does not have. */
export const missingParts = ({ migrations: done, steps }: StoredSchema): { number: number; name: string }[] =>
  [...migrations, ...changes].filter(
    ({ number }) => !done.includes(number) && !steps.some((step) => step.number === number),
  )

/** The schema that the store records; undefined for an empty store. */
export async function storedSchema(
  database: Database,
): Promise<(StoredSchema & { steps: RecordedStep[] }) | undefined> {
  const rows = await database.all(applied).catch(() => undefined)
  if (!rows) await refuseForeignDatabase(database, database)
  // Before version 1.0.0 there is no such table.
  const steps = await recordedSteps(database).catch(() => [])
  return rows && { migrations: rows.map(({ number }) => number), steps }
}
