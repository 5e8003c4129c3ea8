/**
 * A real PostgreSQL server in a temporary folder, durable as in production: fsync and synchronous_commit stay on.
 *
 * Each server has a keeper, a small shell process that reads from a pipe we hold. We write the postmaster's pid to it
 * at each start and an empty line at each stop. When the pipe closes, because the peer is disposed or because the test
 * run ended in any way, SIGKILL included, the keeper kills the postmaster it last heard of and removes the folder.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, open, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { findPostgres, type PostgresPrograms, postgresFolders } from './debian.ts'

export type PostgresOptions = { settings?: Record<string, string> }

export interface PostgresPeer extends AsyncDisposable {
  /** Holds everything the server writes: data, socket and log. */
  readonly folder: string
  url(database?: string): string
  /** Makes a fresh database and returns its URL. */
  createDatabase(): Promise<string>
  query(sql: string, database?: string): Promise<Record<string, unknown>[]>
  start(): Promise<void>
  /** Shuts down cleanly and keeps the data, so that `start` can follow; disposing removes them. */
  stop(): Promise<void>
  /** `immediate` is a crash: nothing is flushed, and the next start recovers from the write-ahead log. */
  restart(mode: ShutdownMode): Promise<void>
}

export type ShutdownMode = 'fast' | 'immediate'

type UserIds = { uid?: number; gid?: number }
type Site = {
  programs: PostgresPrograms
  folder: string
  user: UserIds
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

/** Makes a new, empty PostgreSQL server and starts it. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresPeer> {
  const programs = findPostgres(postgresFolders(process.env.PATH ?? ''))
  if (programs === undefined) throw new Error('No PostgreSQL server found: run node scripts/test-setup.ts')
  const user = await serverUser()
  const folder = await makeFolder(user)
  const settings = { ...defaultSettings, unix_socket_directories: folder, ...options.settings }

  const peer = peerAt({ programs, folder, user, port: await freePort(), settings }, startKeeper(folder))
  await using unfinished = new AsyncDisposableStack()
  unfinished.use(peer)
  await initialize(programs, folder, user)
  await peer.start()
  unfinished.move()
  return peer
}

/** Makes a fresh, uniquely named database on the server of the given URL and returns the new database's URL. */
export async function createDatabase(serverUrl: string): Promise<string> {
  const name = `waypost_${randomUUID().replaceAll('-', '')}`
  // template0 rather than template1: nobody can be connected to it, which would make the copy fail.
  await queryOnce(serverUrl, `CREATE DATABASE ${name} TEMPLATE template0`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
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
    stop: () => shutDown('fast'),
    async restart(mode) {
      await shutDown(mode)
      await start()
    },
    async [Symbol.asyncDispose]() {
      await shutDown('immediate')
      await keeper[Symbol.asyncDispose]()
    },
  }
}

async function initialize(programs: PostgresPrograms, folder: string, user: UserIds): Promise<void> {
  const cluster = ['-D', dataFolder(folder), '-U', 'waypost', '--auth=trust']
  const encoding = ['-E', 'UTF8', '--locale=C.UTF-8']
  const spawnOptions = { cwd: folder, env: serverEnvironment(), ...user }
  await promisify(execFile)(programs.initdb, [...cluster, ...encoding, '--no-sync'], spawnOptions)
}

async function spawnServer({ programs, folder, user, port, settings }: Site): Promise<ChildProcess> {
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  await using log = await open(logFile(folder), 'a')
  const server = spawn(programs.postgres, ['-D', dataFolder(folder), '-p', String(port), ...args], {
    cwd: folder,
    env: serverEnvironment(),
    stdio: ['ignore', log.fd, log.fd],
    ...user,
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

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

async function queryOnce(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: startDeadline })
  // A server that stops reports it here as well as in the query; without a listener that would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Record<string, unknown>>(sql)
    return rows
  } finally {
    await client.end()
  }
}

interface Keeper extends AsyncDisposable {
  watch(pid: number | undefined): void
}

// It waits for the pid file to go as well as the process: an orphan can stay a zombie where pid 1 does not reap.
const keeperScript = `
while read -r line; do pid=$line; done
if [ -n "$pid" ] && kill -QUIT "$pid"; then
  while [ -e "$1/data/postmaster.pid" ] && kill -0 "$pid"; do sleep 0.1; done
fi
rm -rf "$1"
`

/** Detached, so that Ctrl-C in the terminal ends the tests and not their keeper. */
function startKeeper(folder: string): Keeper {
  const shell = spawn('sh', ['-c', keeperScript, 'keeper', folder], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const exit = once(shell, 'exit')
  return {
    watch: (pid) => void shell.stdin.write(`${pid ?? ''}\n`),
    async [Symbol.asyncDispose]() {
      shell.stdin.end()
      await exit
    },
  }
}

async function makeFolder({ uid, gid }: UserIds): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waypost-postgres-'))
  await chmod(folder, 0o711)
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid)
  return folder
}

/** Whom the server runs as. PostgreSQL refuses root, so root lends it another user; others run it as themselves. */
async function serverUser(): Promise<UserIds> {
  if (process.getuid?.() !== 0) return {}
  const entries = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of ['postgres', 'nobody']) {
    const entry = entries.find((fields) => fields[0] === name)
    if (entry !== undefined) return { uid: Number(entry[2]), gid: Number(entry[3]) }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody to run it as')
}

/** Nothing of ours, so that a developer's PGDATA, PGOPTIONS, language or time zone changes no test. */
function serverEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', TZ: 'UTC' }
}

/** Below 32768, where Linux begins to hand out ports for outgoing connections. */
async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(20_000, 32_000)
    if (await isFree(port)) return port
  }
  throw new Error('Found no free port between 20000 and 32000')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

function dataFolder(folder: string): string {
  return join(folder, 'data')
}

function logFile(folder: string): string {
  return join(folder, 'server.log')
}
