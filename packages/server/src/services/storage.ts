/** Opens the store of an installation, migrates it, and opens its keys and its clock. */
import path from 'node:path'
import { type Clock, wholeClock } from '@waypost/platform/clock'
import { createDataSeals, type DataKeys, type DataSeals } from '@waypost/platform/crypto/data-seals'
import type { KeyRing } from '@waypost/platform/crypto/key-ring'
import { createSecrets, type Secrets } from '@waypost/platform/crypto/secrets'
import { type Cursors, createCursors } from '@waypost/platform/cursor'
import { createLog, type Log } from '@waypost/platform/log'
import { machineTime, ServiceClock } from '@waypost/platform/service-clock'
import { connectionProblem } from '@waypost/store/engine/connection-problem'
import { prepareFolder } from '@waypost/store/engine/data-folder'
import type { Database, Queries } from '@waypost/store/engine/database'
import { createDiskRoom, type DiskRoom, freeReserve, unlimitedRoom } from '@waypost/store/engine/disk-room'
import { openDatabase } from '@waypost/store/engine/open'
import { readHosts } from '@waypost/store/engine/postgresql-hosts'
import { keepSettings } from '@waypost/store/engine/postgresql-session'
import { checkDurability } from '@waypost/store/engine/server-settings'
import { type WorkSignals, withAfterCommit, withWorkSignals } from '@waypost/store/engine/work-signals'
import { beforeBaseline } from '@waypost/store/migrations/compatibility'
import { checkSchema, laterSteps, type MigrateOptions, migrate } from '@waypost/store/migrations/migrate'
import { logProgress } from '@waypost/store/migrations/steps/progress'
import type { SchemaWork } from '@waypost/store/migrations/steps/schema-work'
import { placeNewTables } from '@waypost/store/sharding/new-tables'
import { type StoreHealth, watchHealth } from '@waypost/store/store-health'
import { readFact } from '@waypost/store/tables/applications/installation'
import { noteWhetherChannels } from '@waypost/store/tables/notifications/channel-versions'
import { needInstallation } from '../applications/first-start.ts'
import { checkKey, openDataKeys, openKeyRing } from '../applications/secret-key.ts'
import { type Config, ConfigError, type ConfigSecrets } from '../config.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { storeTimes } from '../telemetry/node-figures.ts'
import type { PayloadOpener } from '../webhooks/sealed-payloads.ts'
import type { Given } from './build-options.ts'

/** The location of the store, without a password. */
function placeOf({ dataDir }: Config, { databaseUrl }: ConfigSecrets): string {
  if (databaseUrl === undefined) return path.join(dataDir, 'waypost.db')
  const { hosts, database = '' } = readHosts(databaseUrl)
  return `the PostgreSQL database ${hosts.map(({ name }) => name).join(',')}/${database}`
}

export interface Storage {
  clock: Clock
  /** The clock of the service itself, where `clock` is that of a test. */
  serviceClock: ServiceClock
  /** Compares the clock with that of the store again. */
  followClock(): Promise<void>
  log: Log
  database: Database
  /** Wakes background workers, here and on other nodes. */
  signals: WorkSignals
  /** Calls a function after the commit of a transaction. */
  afterwards(tx: Queries, call: () => void): void
  /** Whether the store can be written. */
  storeHealth: StoreHealth
  /** Room on the disk of the store. */
  room: DiskRoom
  keyRing: KeyRing
  secrets: Secrets
  dataKeys: DataKeys
  /** Seals stored content of mail, events and contacts. */
  seals: DataSeals
  /** Opens the payloads of notifications. */
  payloads: PayloadOpener
  cursors: Cursors
  /** Names of the migrations that this start applied. */
  migrated: readonly string[]
  /** The steps of schema changes that run after the start. */
  schemaWork: SchemaWork
  /** Throws if a newer version has changed the store in a way that this one cannot work with. */
  checkSchema(): Promise<void>
}

export async function openStorage(
  stack: AsyncDisposableStack,
  { config, configSecrets, overrides }: Given,
  { nodeId, metrics }: { nodeId: string; metrics: Metrics },
): Promise<Storage> {
  const log = overrides.log ?? createLog(config.logLevel)
  const isServing = overrides.serving === true && configSecrets.databaseUrl === undefined
  if (isServing) freeReserve(config.dataDir)
  if (!overrides.existingOnly) prepareFolder(config.dataDir)
  const store = stack.use(
    overrides.database ??
      (await openDatabase(config.dataDir, configSecrets.databaseUrl, {
        log,
        lock: overrides.serving === true,
        postgresql: { ...config.postgresql, directUrl: configSecrets.directDatabaseUrl },
      })),
  )
  const room = overrides.room ?? (isServing ? createDiskRoom(config.dataDir, { log }) : unlimitedRoom)
  if (isServing) room.measure()
  const { database: watched, health } = watchHealth(store, { answered: storeTimes(metrics) })
  const { database: signalling, signals } = withWorkSignals(watched, nodeId)
  stack.use(signals)
  const { database, afterwards } = withAfterCommit(signalling)
  // Nodes on one PostgreSQL use its clock, so that leases and due times mean the same on all of them.
  const serviceClock = new ServiceClock({
    sources: overrides.timeSources ?? machineTime,
    reference: () => store.now(),
    onCorrection: (milliseconds) =>
      log.warn({ milliseconds }, 'the clock of the service was off and follows the clock of the store'),
  })
  const inWords = (error: unknown): never => {
    throw connectionProblem(error, configSecrets.databaseUrl)
  }
  await serviceClock.begin().catch(inWords)
  const clock = overrides.clock ? wholeClock(overrides.clock) : serviceClock
  const unsafe = await checkDurability(database)
  if (unsafe) {
    throw new ConfigError([`${unsafe}: what was acknowledged could be lost; turn it on in postgresql.conf and reload`])
  }
  if (overrides.existingOnly) await needInstallation(database, placeOf(config, configSecrets))
  const logged = logProgress(log)
  const schema: MigrateOptions = {
    ...overrides.schema,
    report(progress) {
      logged(progress)
      overrides.schema?.report?.(progress)
    },
  }
  const migrated = await migrate(database, clock.now(), schema).catch(inWords)
  await placeNewTables(database)
  await noteWhetherChannels(database)
  const unset = await keepSettings(database)
  if (unset.length > 0)
    log.warn({ unset }, 'connections of the pooler come without settings; `waypost doctor` says more')
  return {
    log,
    database,
    signals,
    afterwards,
    storeHealth: health,
    room,
    clock,
    serviceClock,
    migrated,
    followClock: () => serviceClock.follow(),
    schemaWork: laterSteps(database, schema),
    checkSchema: () => checkSchema(database, schema),
    ...(await openKeys({ config, configSecrets }, { database, clock, log })),
  }
}

/** The keys, and what seals and opens with them. */
async function openKeys(
  { config, configSecrets }: Pick<Given, 'config' | 'configSecrets'>,
  { database, clock, log }: Pick<Storage, 'database' | 'clock' | 'log'>,
): Promise<Pick<Storage, 'keyRing' | 'secrets' | 'dataKeys' | 'seals' | 'payloads' | 'cursors'>> {
  const keyRing = await openKeyRing(config, configSecrets, database)
  const secrets = createSecrets(keyRing)
  await checkKey(database, secrets)
  const dataKeys = await openDataKeys(database, secrets, clock.now())
  const seals = createDataSeals(dataKeys, { clock, log })
  if (await readFact(database, 'clear_values')) {
    throw new ConfigError([
      `some values that a version before 0.1.0 stored are not encrypted yet: ${beforeBaseline.remedy}`,
    ])
  }
  return { keyRing, secrets, dataKeys, seals, payloads: { seals, log }, cursors: createCursors(keyRing) }
}
