/** Opens the store of an installation, migrates it, and opens its keys and its clock. */
import path from 'node:path'
import type { ProviderKind } from '@waypost/contract'
import { wholeClock } from '@waypost/platform/clock'
import { createDataSeals } from '@waypost/platform/crypto/data-seals'
import { createSecrets } from '@waypost/platform/crypto/secrets'
import { createLog } from '@waypost/platform/log'
import { machineTime, ServiceClock } from '@waypost/platform/service-clock'
import { sandboxScopes } from '@waypost/providers/settings'
import { withAfterCommit } from '@waypost/store/engine/after-commit'
import { connectionProblem } from '@waypost/store/engine/connection-problem'
import { prepareFolder } from '@waypost/store/engine/data-folder'
import { createDiskRoom, freeReserve, unlimitedRoom } from '@waypost/store/engine/disk-room'
import { checkDurability } from '@waypost/store/engine/durability'
import { openDatabase } from '@waypost/store/engine/open'
import { readHosts } from '@waypost/store/engine/postgresql-hosts'
import { keepSettings } from '@waypost/store/engine/postgresql-session'
import { withWorkSignals } from '@waypost/store/engine/work-signals'
import { beforeBaseline } from '@waypost/store/migrations/compatibility'
import { checkSchema, laterSteps, type MigrateOptions, migrate } from '@waypost/store/migrations/migrate'
import { logProgress } from '@waypost/store/migrations/steps/progress-log'
import { placeNewTables } from '@waypost/store/sharding/new-tables'
import { watchHealth } from '@waypost/store/store-health'
import { readFact } from '@waypost/store/tables/applications/installation'
import { noteWhetherChannels } from '@waypost/store/tables/notifications/channel-versions'
import { createAdministrator } from '../applications/administrator.ts'
import { openDataKeys } from '../applications/data-keys.ts'
import { ensureInstallation, needInstallation } from '../applications/first-start.ts'
import { checkKey, openKeyRing } from '../applications/opening.ts'
import { createPasswordHashing } from '../applications/password-hashing.ts'
import { type Config, ConfigError, type ConfigSecrets } from '../config.ts'
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
  if (await readFact(database, 'clear_values')) {
    throw new ConfigError([
      `some values that a version before 0.1.0 stored are not encrypted yet: ${beforeBaseline.remedy}`,
    ])
  }
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
