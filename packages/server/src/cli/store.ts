import { stat } from 'node:fs/promises'
import path from 'node:path'
import { renewDataKey } from '../applications/data-keys.ts'
import { hasInstallation } from '../applications/first-start.ts'
import { keyFileOf } from '../applications/opening.ts'
import { countByKey, rewrapAll } from '../applications/rotation.ts'
import { type Config, type ConfigSecrets, readConfig } from '../config.ts'
import { sleep } from '../lib/clock.ts'
import { dropKeys, prependKey } from '../lib/crypto/key-ring.ts'
import { createLog } from '../lib/log.ts'
import { connectionProblem } from '../store/engine/connection-problem.ts'
import type { Database } from '../store/engine/database.ts'
import { openDatabase } from '../store/engine/open.ts'
import { lockForServing } from '../store/engine/server-lock.ts'
import { migrate } from '../store/migrations/migrate.ts'
import { noteCommand } from './audit.ts'
import { openForCommand } from './open-store.ts'
import type { PlainRun, StoreRun } from './program/command.ts'
import { printObject, type Terminal } from './program/output.ts'
import { needStore } from './store-place.ts'

/**
 * Brings the store to the newest form. An empty PostgreSQL database gets its tables, so that a deployment can run this
 * before its first node; that node still makes the first application and prints its key.
 */
export const dbMigrate: PlainRun = async ({ terminal, output }) => {
  const { config, secrets } = readConfig(terminal.env)
  needStore(config, secrets)
  const { engine, applied, isEmpty } =
    (await migrateEmpty(config, secrets)) ?? (await migrateInstallation(terminal.env))
  printObject(output, { store: engine, applied: applied.length > 0 ? applied.join(', ') : 'nothing to do' })
  if (isEmpty) output.progress('The tables are ready. "waypost serve" makes the first application and prints its key.')
  return 0
}

interface Migrated {
  engine: Database['engine']
  applied: readonly string[]
  /** There is no installation yet: no key, no application. */
  isEmpty: boolean
}

async function migrateInstallation(env: Terminal['env']): Promise<Migrated> {
  await using services = await openForCommand(env)
  return { engine: services.database.engine, applied: services.migrated, isEmpty: false }
}

/** Creates the tables of a PostgreSQL database that holds no installation; undefined where there is one. */
async function migrateEmpty(config: Config, { databaseUrl }: ConfigSecrets): Promise<Migrated | undefined> {
  if (databaseUrl === undefined) return undefined
  const log = createLog('silent')
  const options = { log, lock: false, postgresql: config.postgresql }
  await using database = await openDatabase(config.dataDir, databaseUrl, options)
  try {
    const now = await database.now()
    if (await hasInstallation(database)) return undefined
    return { engine: database.engine, applied: await migrate(database, now), isEmpty: true }
  } catch (error) {
    throw connectionProblem(error, databaseUrl)
  }
}

export const dbCompact: StoreRun = async ({ database, config }, _args, output) => {
  if (database.engine === 'postgresql') {
    printObject(output, { store: database.engine, bytes_before: null, bytes_after: null })
    output.progress('PostgreSQL gives space back by itself: the days that are not kept any more are dropped whole.')
    return
  }
  const file = path.join(config.dataDir, 'waypost.db')
  // The file is written anew: whoever serves it would wait for all of it.
  using _alone = lockForServing(file)
  const sizeOf = async (): Promise<number> => (await stat(file)).size
  const before = await sizeOf()
  await database.rewrite([])
  printObject(output, { store: database.engine, bytes_before: before, bytes_after: await sizeOf() })
}

/** A running server goes on sealing under the former newest key for up to a second after a new one was added. */
const learningMs = 2_500
/** A request under way may put back a value as it read it, under the old key: longer than any of them takes. */
const settlingMs = 1_000
/** Where servers seal under an old key all the time, because they were not told of the new one, it would not end. */
const mostRounds = 5

export const secretsRotate: StoreRun = async (services, _args, output) => {
  const { database, secrets, keyRing, config, clock } = services
  const fromSettings = process.env.WAYPOST_SECRET_KEY !== undefined && process.env.WAYPOST_SECRET_KEY !== ''
  const file = keyFileOf(config)
  if (!fromSettings) {
    if (keyRing.ids().length === 1) prependKey(file)
    // After an interruption too: the key may have been added a moment ago.
    output.progress('There is a new key; waiting for running servers to learn it.')
    await sleep(learningMs)
  }
  const [newest = '', ...old] = keyRing.ids()
  // What is sealed in bulk stays under its data key, which is wrapped anew; what comes is sealed with a new one.
  if (old.length > 0) await renewDataKey(database, secrets, clock.now())
  let rewrapped = 0
  for (let round = 0; round < mostRounds; round++) {
    const pass = await rewrapAll(database, services, (done) => output.progress(`${done.rewrapped} values done`))
    rewrapped += pass.rewrapped
    if (pass.rewrapped === 0) break
    await sleep(settlingMs)
  }
  const left = [...(await countByKey(database, secrets))].filter(([id]) => id !== newest)
  await noteCommand(database, services, { action: 'secrets.rotate' })
  const dropped = left.length === 0 && !fromSettings ? dropKeys(file, old) : []
  printObject(output, {
    key: newest,
    rewrapped,
    under_old_keys: left.reduce((sum, [, count]) => sum + count, 0),
    dropped: dropped.length,
  })
  if (fromSettings && old.length === 0) {
    output.progress(
      'To change the key, set WAYPOST_SECRET_KEY to "new,old" (openssl rand -base64 32) and run this again.',
    )
  } else if (fromSettings && left.length === 0) {
    output.progress('Nothing is under the old keys: remove them from WAYPOST_SECRET_KEY on every node.')
  }
}
