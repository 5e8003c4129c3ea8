/**
 * A real PostgreSQL server in a temporary folder, durable as in production: fsync and synchronous_commit stay on.
 *
 * Its keeper knows the running postmaster: however the test run ends, the keeper kills the postmaster and removes the
 * folder.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort, isRunning, type ServerUser, serverFolder, serverUser } from './daemon.ts'
import { findPostgres, findProgram, type PostgresPrograms, postgresFolders } from './debian.ts'
import { type Keeper, startKeeper } from './keeper.ts'
import { hasSharedServers, type Shared, sharedServer } from './shared-servers.ts'

export interface PostgresOptions {
  settings?: Record<string, string>
  /** The folder of the programs. Default: the first PostgreSQL on the machine. */
  bin?: string | undefined
}

export interface PostgresPeer extends AsyncDisposable {
  /** Contains all files of the server: data, socket and log. */
  readonly folder: string
  url(database?: string): string
  /** Creates a new database and returns its URL. */
  createDatabase(): Promise<string>
  query(sql: string, database?: string): Promise<Record<string, unknown>[]>
  start(): Promise<void>
  /** Shuts down and keeps the data, so that `start` can follow; disposing removes them. Default: cleanly. */
  stop(mode?: ShutdownMode): Promise<void>
  /** Kills all of its processes with SIGKILL, like a power failure. The data stays, so that `start` can follow. */
  kill(): Promise<void>
  /** `immediate` is a crash: nothing is flushed, and the next start recovers from the write-ahead log. */
  restart(mode: ShutdownMode): Promise<void>
  /** Sends a signal to every process of the server: SIGSTOP freezes all of them at once. */
  signalAll(signal: 'SIGSTOP' | 'SIGCONT'): void
  /**
   * Replaces the data of the stopped server by a copy of a running one. From the next start it is the standby of that
   * server.
   */
  follow(primary: PostgresPeer): Promise<void>
}

export type ShutdownMode = 'fast' | 'immediate'

type Site = {
  programs: PostgresPrograms
  folder: string
  user: ServerUser
  port: number
  settings: Record<string, string>
}

const shutdownSignals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const
const startDeadline = 30_000

const defaultSettings = {
  fsync: 'on',
  synchronous_commit: 'on',
  max_connections: '200',
  shared_buffers: '16MB',
  listen_addresses: '127.0.0.1',
}

function findPrograms(bin?: string): PostgresPrograms {
  const programs = findPostgres(bin === undefined ? postgresFolders(process.env.PATH ?? '') : [bin])
  if (programs !== undefined) return programs
  throw new Error(`No PostgreSQL server found${bin ? ` in ${bin}` : ': run node scripts/test-setup.ts'}`)
}

// PostgreSQL refuses root.
const postgresUser = (): Promise<ServerUser> => serverUser('postgres', 'nobody')

/**
 * Prepares the data with which the servers of a run start. Copying it takes a twentieth of the time of `initdb`.
 * Returns its folder.
 */
export async function initializeCluster(): Promise<Shared<string>> {
  const user = await postgresUser()
  const folder = await serverFolder('cluster', user)
  await runInitdb(findPrograms(), folder, user)
  return {
    description: dataFolder(folder),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Starts a new, empty PostgreSQL server. */
export const startPostgres = (options: PostgresOptions = {}): Promise<PostgresPeer> =>
  startServer(options, ({ programs, folder, user }) =>
    // The prepared data has the usual version.
    options.bin === undefined ? initialize(programs, folder, user) : runInitdb(programs, folder, user),
  )

/** Starts a standby that streams from a running server. */
export const startStandby = (primary: PostgresPeer, options: PostgresOptions = {}): Promise<PostgresPeer> =>
  startServer(options, (site) => copyData(site, primary))

async function startServer(options: PostgresOptions, fill: (site: Site) => Promise<void>): Promise<PostgresPeer> {
  const programs = findPrograms(options.bin)
  const user = await postgresUser()
  const folder = await serverFolder('postgres', user)
  const settings = { ...defaultSettings, unix_socket_directories: folder, ...options.settings }

  const site = { programs, folder, user, port: await freePort(), settings }
  const peer = peerAt(site, startKeeper(keeperScript, folder))
  await using unfinished = new AsyncDisposableStack()
  unfinished.use(peer)
  await fill(site)
  await peer.start()
  unfinished.move()
  return peer
}

export interface NewDatabase {
  /** Default: a unique name. */
  name?: string
  /** A database to copy, without connections. Default: an empty one. */
  template?: string
  /** The language of the collation. */
  language?: string
}

/** A name that no other database has. */
export const databaseName = (): string => `waypost_${randomUUID().replaceAll('-', '')}`

/** Creates a database with a unique name on the server of the given URL, and returns the URL of the database. */
export async function createDatabase(serverUrl: string, options: NewDatabase = {}): Promise<string> {
  const name = options.name ?? databaseName()
  // template0 instead of template1: nobody can connect to it, and a connection would make the copy fail.
  const { template = 'template0', language } = options
  const alphabet = language === undefined ? '' : ` LOCALE_PROVIDER icu ICU_LOCALE '${language}'`
  // Copies the files directly. The other strategy would also write each of their pages to the log.
  await queryOnce(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy${alphabet}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Removes a database, and closes its connections. */
export async function dropDatabase(url: string): Promise<void> {
  const server = new URL(url)
  const name = server.pathname.slice(1)
  server.pathname = '/postgres'
  await queryOnce(server.href, `DROP DATABASE ${name} WITH (FORCE)`)
}

function peerAt(site: Site, keeper: Keeper): PostgresPeer {
  let server: ChildProcess | undefined
  const url = (database = 'postgres') => `postgres://waypost@127.0.0.1:${site.port}/${database}`

  async function start(): Promise<void> {
    if (server !== undefined) throw new Error('PostgreSQL is already started')
    server = await spawnServer(site)
    keeper.watch(server.pid)
    await waitUntilReady(server, url(), site.folder)
  }

  async function shutDown(mode: ShutdownMode): Promise<void> {
    if (server === undefined) return
    await end(server, shutdownSignals[mode])
    keeper.watch(undefined)
    server = undefined
  }

  return {
    folder: site.folder,
    url,
    createDatabase: () => createDatabase(url()),
    query: (sql, database) => queryOnce(url(database), sql),
    start,
    stop: (mode = 'fast') => shutDown(mode),
    async kill() {
      if (server?.pid === undefined) return
      const exit = once(server, 'exit')
      signalTree(server.pid, 'SIGKILL')
      await exit
      keeper.watch(undefined)
      server = undefined
    },
    async restart(mode) {
      await shutDown(mode)
      await start()
    },
    signalAll(signal) {
      if (server?.pid !== undefined) signalTree(server.pid, signal)
    },
    follow: (primary) => copyData(site, primary),
    async [Symbol.asyncDispose]() {
      if (server?.pid !== undefined) signalTree(server.pid, 'SIGCONT')
      await shutDown('immediate')
      await keeper[Symbol.asyncDispose]()
    },
  }
}

async function initialize(programs: PostgresPrograms, folder: string, user: ServerUser): Promise<void> {
  if (!hasSharedServers()) return runInitdb(programs, folder, user)
  const cluster = await sharedServer<string>('empty-cluster')
  await promisify(execFile)('cp', ['-a', cluster, dataFolder(folder)], { cwd: folder, ...user.ids })
}

async function runInitdb(programs: PostgresPrograms, folder: string, user: ServerUser): Promise<void> {
  const cluster = ['-D', dataFolder(folder), '-U', 'waypost', '--auth=trust']
  const encoding = ['-E', 'UTF8', '--locale=C.UTF-8']
  const spawnOptions = { cwd: folder, env: serverEnvironment(), ...user.ids }
  await promisify(execFile)(programs.initdb, [...cluster, ...encoding, '--no-sync'], spawnOptions)
}

/** Copies a running server with `pg_basebackup`, as its standby. */
async function copyData({ programs, folder, user }: Site, primary: PostgresPeer): Promise<void> {
  await rm(dataFolder(folder), { recursive: true, force: true })
  const folders = [dirname(programs.postgres), ...postgresFolders(process.env.PATH ?? '')]
  const program = findProgram('pg_basebackup', folders)
  if (program === undefined) throw new Error('No pg_basebackup found: run node scripts/test-setup.ts')
  const args = ['-D', dataFolder(folder), '-d', primary.url(), '-R', '-X', 'stream', '-c', 'fast', '--no-sync']
  await promisify(execFile)(program, args, { cwd: folder, env: serverEnvironment(), ...user.ids })
}

/** The first process before its children, so that it starts no others. */
function signalTree(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    for (const child of children === '' ? [] : children.split(' ')) signalTree(Number(child), signal)
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'ENOENT')
    if (!isGone) throw error
  }
}

async function spawnServer({ programs, folder, user, port, settings }: Site): Promise<ChildProcess> {
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  await using log = await open(logFile(folder), 'a')
  const server = spawn(programs.postgres, ['-D', dataFolder(folder), '-p', String(port), ...args], {
    cwd: folder,
    env: serverEnvironment(),
    stdio: ['ignore', log.fd, log.fd],
    ...user.ids,
  })
  await once(server, 'spawn')
  return server
}

async function waitUntilReady(server: ChildProcess, url: string, folder: string): Promise<void> {
  const deadline = performance.now() + startDeadline
  let cause: unknown
  while (isRunning(server) && performance.now() < deadline) {
    try {
      await queryOnce(url, 'SELECT 1')
      return
    } catch (error) {
      cause = error
      await sleep(20)
    }
  }
  const log = await readFile(logFile(folder), 'utf8')
  throw new Error(`PostgreSQL did not start. The end of its log:\n${log.slice(-4000)}`, { cause })
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (!isRunning(child)) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}

export async function queryOnce(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: startDeadline })
  // A server that stops reports an error here as well as in the query. Without a listener, the error would end the
  // process.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Record<string, unknown>>(sql)
    return rows
  } finally {
    await client.end()
  }
}

// Waits for the removal of the pid file as well as for the process: an orphan can stay a zombie if pid 1 does not reap
// it.
const keeperScript = `
while read -r line; do pid=$line; done
if [ -n "$pid" ] && kill -QUIT "$pid"; then
  while [ -e "$1/data/postmaster.pid" ] && kill -0 "$pid"; do sleep 0.1; done
fi
rm -rf "$1"
`

/**
 * Without the variables of this process, so that a developer's PGDATA, PGOPTIONS, language or time zone changes no
 * test.
 */
function serverEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', TZ: 'UTC' }
}

function dataFolder(folder: string): string {
  return join(folder, 'data')
}

function logFile(folder: string): string {
  return join(folder, 'server.log')
}
