/** Opens the store of an installation, migrates it, and opens its keys and its clock. */
import path from 'node:path'
import type { ProviderKind } from '@waypost/contract'
import { createAdministrator } from '../applications/administrator.ts'
import { sealClearValues } from '../applications/clear-values.ts'
import { openDataKeys } from '../applications/data-keys.ts'
import { ensureInstallation, needInstallation } from '../applications/first-start.ts'
import { checkKey, openKeyRing } from '../applications/opening.ts'
import { createPasswordHashing } from '../applications/password-hashing.ts'
import { type Config, ConfigError, type ConfigSecrets } from '../config.ts'
import { wholeClock } from '../lib/clock.ts'
import { createDataSeals } from '../lib/crypto/data-seals.ts'
import { createSecrets } from '../lib/crypto/secrets.ts'
import { createLog } from '../lib/log.ts'
import { machineTime, ServiceClock } from '../lib/service-clock.ts'
import { sandboxScopes } from '../providers/settings.ts'
import { withAfterCommit } from '../store/engine/after-commit.ts'
import { connectionProblem } from '../store/engine/connection-problem.ts'
import { prepareFolder } from '../store/engine/data-folder.ts'
import { createDiskRoom, freeReserve, unlimitedRoom } from '../store/engine/disk-room.ts'
import { checkDurability } from '../store/engine/durability.ts'
import { openDatabase } from '../store/engine/open.ts'
import { readHosts } from '../store/engine/postgresql-hosts.ts'
import { keepSettings } from '../store/engine/postgresql-session.ts'
import { watchHealth } from '../store/engine/store-health.ts'
import { withWorkSignals } from '../store/engine/work-signals.ts'
import { checkSchema, laterSteps, type MigrateOptions, migrate } from '../store/migrations/migrate.ts'
import { logProgress } from '../store/migrations/steps/progress-log.ts'
import { placeNewTables } from '../store/sharding/new-tables.ts'
import { noteWhetherChannels } from '../store/tables/notifications/channel-versions.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { storeTimes } from '../telemetry/node-figures.ts'
import type { PayloadOpener } from '../webhooks/sealed-payloads.ts'
import type { BuildOptions } from './services.ts'

/** How long a change of the machine's clock must last before an installation on SQLite follows it. */
const settingHeldMs = 600_000
const clockRemarks = {
  corrected: 'the clock of the service was off and follows the clock of the store',
  held: 'the clock of the machine was set; the service goes on with its own, and follows in ten minutes if it stays so',
  slept: 'the machine slept; the clock of the service counts that',
} as const

/** The location of the store, without a password. */
function placeOf({ dataDir }: Config, { databaseUrl }: ConfigSecrets): string {
  if (databaseUrl === undefined) return path.join(dataDir, 'waypost.db')
  const { hosts, database = '' } = readHosts(databaseUrl)
  return `the PostgreSQL database ${hosts.map(({ name }) => name).join(',')}/${database}`
}

export type Storage = Awaited<ReturnType<typeof openStorage>>

export async function openStorage(
  stack: AsyncDisposableStack,
  config: Config,
  configSecrets: ConfigSecrets,
  { nodeId, ...overrides }: BuildOptions & { nodeId: string },
) {
  const log = overrides.log ?? createLog(config.logLevel)
  const isServing = overrides.serving === true && configSecrets.databaseUrl === undefined
  if (isServing) freeReserve(config.dataDir)
  if (!overrides.existingOnly) prepareFolder(config.dataDir)
  const store = stack.use(
    overrides.database ??
      (await openDatabase(config.dataDir, configSecrets.databaseUrl, {
        ...{ log, lock: overrides.serving === true },
        postgresql: { ...config.postgresql, directUrl: configSecrets.directDatabaseUrl },
      })),
  )
  const room = overrides.room ?? (isServing ? createDiskRoom(config.dataDir, { log }) : unlimitedRoom)
  if (isServing) room.measure()
  const metrics = createMetrics()
  const { database: watched, health } = watchHealth(store, { answered: storeTimes(metrics) })
  const { database: signalling, signals } = withWorkSignals(watched, nodeId)
  stack.use(signals)
  const { database, afterwards } = withAfterCommit(signalling)
  // Nodes on one PostgreSQL use its clock, so that leases and due times mean the same on all of them.
  const serviceClock = new ServiceClock({
    sources: overrides.timeSources ?? machineTime,
    reference: () => store.now(),
    settleMs: database.engine === 'postgresql' ? 0 : settingHeldMs,
    onCorrection: (correction) => log.warn(correction, clockRemarks[correction.what]),
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
  const keyRing = await openKeyRing(config, configSecrets, database)
  const secrets = createSecrets(keyRing)
  await checkKey(database, secrets)
  const dataKeys = await openDataKeys(database, secrets, clock.now())
  const seals = createDataSeals(dataKeys, { clock, log })
  await sealClearValues(database, seals, log)
  const payloads: PayloadOpener = { seals, log }
  const hashing = createPasswordHashing(overrides.passwordCost)
  const administrator = createAdministrator(database, hashing)
  const installation = await ensureInstallation(database, {
    secrets,
    administrator,
    now: clock.now(),
    apiKey: configSecrets.apiKey,
    adminPassword: configSecrets.adminPassword,
    connectors: Object.entries(sandboxScopes).flatMap(([provider, scope]) => {
      const client = configSecrets.sandboxClients[provider]
      if (!client) return []
      const secret = client.clientSecret ? { client_secret: client.clientSecret } : {}
      return [{ provider: provider as ProviderKind, settings: { ...client.settings, ...secret }, scope: [...scope] }]
    }),
  })
  return {
    ...{ log, metrics, database, signals, afterwards, storeHealth: health, clock, serviceClock, migrated },
    ...{ schemaWork: laterSteps(database, schema), checkSchema: () => checkSchema(database, schema) },
    ...{ keyRing, secrets, dataKeys, seals, payloads, hashing, administrator, installation, room },
  }
}
