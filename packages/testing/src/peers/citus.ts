/**
 * A Citus cluster: a coordinator and workers, each a PostgreSQL server of its own. `WAYPOST_TEST_CITUS` names the
 * folder of the programs of a PostgreSQL that has Citus.
 *
 * A database of the cluster is one database of the same name on each server. Tests copy a prepared one on all of
 * them: its metadata names servers by address, and each server finds the others under the same name.
 */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@waypost/platform/log'
import { openDatabase } from '@waypost/store/engine/open'
import { migrate } from '@waypost/store/migrations/migrate'
import { distribute } from '@waypost/store/sharding/distribute'
import { createDatabase, databaseName, dropDatabase, type PostgresPeer, queryOnce, startPostgres } from './postgres.ts'

export const citusVariable = 'WAYPOST_TEST_CITUS'

/** Why tests on Citus do not run here; undefined if they can. */
export const citusMissing: string | undefined =
  process.env[citusVariable] === undefined
    ? `skipped: ${citusVariable} names no PostgreSQL with Citus (docs/scale.md says how to build one)`
    : undefined

/** The addresses of a cluster's servers. */
export interface CitusServers {
  coordinatorUrl: string
  workerUrls: string[]
}

/** A cluster with a migrated and distributed database to copy. */
export interface PreparedCitus extends CitusServers {
  template: string
}

export interface CitusPeer extends AsyncDisposable {
  readonly coordinator: PostgresPeer
  readonly workers: readonly PostgresPeer[]
  readonly servers: CitusServers
  /** Creates an empty database that knows the workers, and returns its URL at the coordinator. */
  createDatabase(): Promise<string>
}

export interface CitusOptions {
  workers?: number
  settings?: Record<string, string>
}

// Tests create databases by the dozen, and Citus runs one process for each of them on every server.
const usualSettings = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  fsync: 'off',
  max_connections: '300',
  max_prepared_transactions: '600',
  max_worker_processes: '100',
  max_replication_slots: '20',
  max_wal_senders: '20',
  'citus.recover_2pc_interval': '1s',
  // The servers listen only on loopback, and the certificates that Citus creates cost a second of each start.
  'citus.node_conninfo': 'sslmode=disable',
  ssl: 'off',
}

export async function startCitus({ workers = 2, settings = {} }: CitusOptions = {}): Promise<CitusPeer> {
  const bin = process.env[citusVariable]
  if (bin === undefined) throw new Error(citusMissing)
  await using resources = new AsyncDisposableStack()
  const start = async (own: Record<string, string> = {}): Promise<PostgresPeer> =>
    resources.use(await startPostgres({ bin, settings: { ...usualSettings, ...own, ...settings } }))
  // Nodes refuse a coordinator that does not flush commits to disk.
  const coordinator = await start({ fsync: 'on' })
  const others = await Promise.all(Array.from({ length: workers }, () => start()))
  const servers = { coordinatorUrl: coordinator.url(), workerUrls: others.map((worker) => worker.url()) }
  const open = resources.move()
  return {
    coordinator,
    workers: others,
    servers,
    createDatabase: () => createClusterDatabase(servers),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

const everywhere = ({ coordinatorUrl, workerUrls }: CitusServers): string[] => [coordinatorUrl, ...workerUrls]

const portOf = (url: string): string => new URL(url).port

async function createClusterDatabase(servers: CitusServers): Promise<string> {
  const name = databaseName()
  const urls = await Promise.all(everywhere(servers).map((server) => createDatabase(server, { name })))
  await Promise.all(urls.map((url) => queryOnce(url, 'create extension citus')))
  const [coordinator = '', ...workers] = urls
  await queryOnce(coordinator, `select citus_set_coordinator_host('127.0.0.1', ${portOf(coordinator)})`)
  for (const worker of workers) await queryOnce(coordinator, `select citus_add_node('127.0.0.1', ${portOf(worker)})`)
  return coordinator
}

/** Creates a migrated and distributed database for tests to copy. */
export async function prepareCitus(servers: CitusServers, folder: string, shards = 4): Promise<PreparedCitus> {
  const url = await createClusterDatabase(servers)
  {
    await using database = await openDatabase(folder, url, { log: createLog('error'), lock: false })
    await migrate(database, Date.now())
    await distribute(database, { shards })
  }
  const template = new URL(url).pathname.slice(1)
  // PostgreSQL copies only a database without connections. Citus itself holds one, and opens it again unless refused.
  await onAll(servers, `alter database ${template} allow_connections false`)
  await onAll(servers, `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${template}'`)
  return { ...servers, template }
}

const onAll = async (servers: CitusServers, text: string): Promise<void> => {
  await Promise.all(everywhere(servers).map((server) => queryOnce(server, text)))
}

/** An empty database that knows the workers, until it is disposed. */
export async function emptyCitus(servers: CitusServers): Promise<AsyncDisposable & { url: string }> {
  const url = await createClusterDatabase(servers)
  return { url, [Symbol.asyncDispose]: () => dropEverywhere(servers, new URL(url).pathname.slice(1)) }
}

/** Copies the prepared database on every server, and returns its URL at the coordinator. */
export async function copyCitus({ template, ...servers }: PreparedCitus): Promise<AsyncDisposable & { url: string }> {
  const name = databaseName()
  const [url = ''] = await Promise.all(everywhere(servers).map((server) => createDatabase(server, { name, template })))
  return { url, [Symbol.asyncDispose]: () => dropEverywhere(servers, name) }
}

async function dropEverywhere(servers: CitusServers, name: string): Promise<void> {
  // Otherwise the servers connect to each other again.
  await onAll(servers, `alter database ${name} allow_connections false`)
  await Promise.all(everywhere(servers).map((server) => dropDatabase(new URL(`/${name}`, server).href)))
}

let shared: Promise<PreparedCitus> | undefined

/** The cluster that the files of this process share. It ends with the process. */
const sharedCitus = (): Promise<PreparedCitus> => {
  shared ??= startCitus().then(async ({ servers }) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'waypost-citus-'))
    return prepareCitus(servers, folder.path)
  })
  return shared
}

/** A migrated and distributed database on the shared cluster. */
export const openCitusStore = async (): Promise<AsyncDisposable & { url: string }> => copyCitus(await sharedCitus())
