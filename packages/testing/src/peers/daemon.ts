/**
 * A server of many processes in a temporary folder. It is the leader of a process group, and ends with the whole group.
 * Its keeper knows the group: however the test run ends, the keeper kills the group and removes the folder.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, open, readFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startKeeper } from './keeper.ts'

/** The user that a server runs as: another user if the tests run as root, otherwise the user of the tests. */
export interface ServerUser {
  name: string
  group: string
  ids: { uid?: number; gid?: number }
}

export interface DaemonOptions {
  name: string
  folder: string
  user: ServerUser
  program: string
  args: readonly string[]
  /** The server is ready when this port greets. */
  port: number
  /** Sent first to servers that do not greet on their own. */
  hello?: string
  /** Log files to show if the server does not start, in addition to its output. */
  logs?: readonly string[]
  env?: Readonly<Record<string, string>>
  /** The longest start. Default: 20 s. */
  startMs?: number
}

export interface Daemon extends AsyncDisposable {
  start(): Promise<void>
  /** Ends it and keeps its data, so that `start` can follow. Disposing removes the data. */
  stop(): Promise<void>
  /** The same with SIGKILL. */
  kill(): Promise<void>
  /** Stops all its threads (SIGSTOP) until `resume`: it accepts connections and answers nothing. */
  freeze(): void
  resume(): void
  /** This process may end while the daemon runs. The daemon ends then. */
  unref(): void
}

const startDeadline = 20_000
const stopDeadline = 5_000

/** Describes a daemon and its keeper. The daemon runs once it is started. */
export function daemon(options: DaemonOptions): Daemon {
  const keeper = startKeeper(keeperScript, options.folder)
  let leader: ChildProcess | undefined

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (leader === undefined) return
    await endGroup(leader, signal)
    keeper.watch(undefined)
    leader = undefined
  }

  const signal = (name: NodeJS.Signals): void => {
    if (leader?.pid !== undefined) signalGroup(leader.pid, name)
  }

  return {
    async start() {
      if (leader !== undefined) throw new Error(`${options.name} is already started`)
      leader = await spawnLeader(options)
      keeper.watch(leader.pid)
      await waitUntilReady(leader, options)
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    freeze: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    unref() {
      leader?.unref()
      keeper.unref()
    },
    async [Symbol.asyncDispose]() {
      await end('SIGKILL')
      await keeper[Symbol.asyncDispose]()
    },
  }
}

/** A new folder that the user of the server can write. */
export async function serverFolder(name: string, { ids }: ServerUser): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `waypost-${name}-`))
  await chmod(folder, 0o755)
  if (ids.uid !== undefined && ids.gid !== undefined) await chown(folder, ids.uid, ids.gid)
  return folder
}

/** The first of the named users that exists on this machine; the current user if the tests do not run as root. */
export async function serverUser(...names: string[]): Promise<ServerUser> {
  const rows = async (file: string) => (await readFile(file, 'utf8')).split('\n').map((line) => line.split(':'))
  const groups = await rows('/etc/group')
  const groupName = (gid: string | number) => groups.find((fields) => fields[2] === String(gid))?.[0] ?? String(gid)
  if (process.getuid?.() !== 0) {
    const { username, gid } = userInfo()
    return { name: username, group: groupName(gid), ids: {} }
  }
  const users = await rows('/etc/passwd')
  for (const name of names) {
    const [, , uid, gid] = users.find((fields) => fields[0] === name) ?? []
    if (uid && gid) return { name, group: groupName(gid), ids: { uid: Number(uid), gid: Number(gid) } }
  }
  throw new Error(`There is no user ${names.join(' or ')} to run the server as`)
}

const given = new Set<number>()

/**
 * Each worker of a run has its own range of ports: two workers that search at the same moment would find the same free
 * port.
 */
const parts = 8
const portsOfPart = 12_000 / parts
const part = Number(process.env.VITEST_POOL_ID ?? 0) % parts

/** Below 32768, where Linux starts the ports of outgoing connections; never the same twice. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const from = 20_000 + (attempt < 100 ? part : attempt % parts) * portsOfPart
    const port = randomInt(from, from + portsOfPart)
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
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

async function spawnLeader({ program, args, folder, user, env }: DaemonOptions): Promise<ChildProcess> {
  await using log = await open(printed(folder), 'a')
  const leader = spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', TZ: 'UTC', ...env },
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
    ...user.ids,
  })
  await once(leader, 'spawn')
  return leader
}

async function waitUntilReady(leader: ChildProcess, options: DaemonOptions): Promise<void> {
  const { name, folder, port, hello, logs = [] } = options
  const deadline = performance.now() + (options.startMs ?? startDeadline)
  while (isRunning(leader) && performance.now() < deadline) {
    if (await greets(port, hello)) return
    await sleep(10)
  }
  const texts = await Promise.all([printed(folder), ...logs].map((file) => readFile(file, 'utf8').catch(() => '')))
  throw new Error(`${name} did not start. The end of its log:\n${texts.join('\n').slice(-4000)}`)
}

function greets(port: number, hello = ''): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => hello !== '' && socket.write(hello))
    const answer = (ready: boolean) => {
      socket.destroy()
      resolve(ready)
    }
    socket.setTimeout(1000, () => answer(false))
    socket.once('data', () => answer(true))
    socket.once('error', () => answer(false))
    socket.once('end', () => answer(false))
  })
}

async function endGroup(leader: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const { pid } = leader
  if (pid === undefined) return
  const exit = isRunning(leader) ? once(leader, 'exit') : undefined
  signalGroup(pid, signal)
  if (await Promise.race([exit, sleep(stopDeadline, 'late', { ref: false })])) signalGroup(pid, 'SIGKILL')
  await exit
  // Child processes that the leader left behind.
  signalGroup(pid, 'SIGKILL')
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

export function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

// Processes may write to the folder until the last one of the group is gone, so a second attempt follows.
const keeperScript = `
while read -r line; do group=$line; done
if [ -n "$group" ]; then kill -KILL "-$group"; fi
rm -rf "$1" || { sleep 1; rm -rf "$1"; }
`

function printed(folder: string): string {
  return join(folder, 'printed.log')
}
