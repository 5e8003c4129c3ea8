/**
 * Real nodes as child processes. Each signs its deliveries in its own header (`WAYPOST_SIGNATURE_HEADER`), so that a
 * receiver can identify the sending node.
 *
 * No child outlives the runner: a keeper, a small shell that reads from a pipe of the runner, gets the pids of
 * running nodes. It kills them when the pipe closes, however the runner ended.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Role } from '@waypost/store/tables/applications/nodes'
import { type Program, processEnvironment, programFile } from '@waypost/testing/programs'

const retainedOutput = 32_768

export type { Role } from '@waypost/store/tables/applications/nodes'

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface Usage {
  residentMb: number
  /** Processor time since the node started. */
  cpuMs: number
  /** Time that its main thread waited for a processor since it started. */
  queuedMs: number
}

export interface Node extends AsyncDisposable {
  /** The name by which receivers identify it. */
  readonly name: string
  readonly base: string
  readonly pid: number
  readonly ended: Promise<Ended>
  isAlive(): boolean
  signal(signal: NodeJS.Signals): void
  /** Kills it, and waits until it has ended. */
  kill(): Promise<void>
  usage(): Usage
  /** The end of its output. */
  output(): string
  /** With several processes: all lines in which one of them became ready, and those of the supervisor. */
  processLines(): readonly string[]
}

const headerOf = (name: string): string => `x-from-${name}`

/** The node that sent a request. */
export function senderOf(headers: NodeJS.Dict<string | string[]>): string {
  const header = Object.keys(headers).find((each) => each.startsWith('x-from-') && !each.endsWith('-previous'))
  return header?.slice('x-from-'.length) ?? ''
}

/** A program that is not one of this version. */
export interface ProgramFile {
  file: string
}

let started = 0

/** Starts `waypost serve` and waits until it is ready; rejects with its output if it ends instead. */
export async function startNode(
  roles: readonly Role[],
  settings: Record<string, string>,
  program: Program | ProgramFile = 'waypost',
): Promise<Node> {
  const name = `node${++started}`
  const file = typeof program === 'string' ? await programFile(program) : program.file
  const child = spawn(process.execPath, [file, 'serve'], {
    env: {
      ...processEnvironment,
      WAYPOST_PORT: '0',
      WAYPOST_ROLES: roles.join(','),
      WAYPOST_RATE_LIMITS: 'off',
      WAYPOST_EGRESS: 'private',
      WAYPOST_SIGNATURE_HEADER: headerOf(name),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  watch(child)
  let output = ''
  let rest = ''
  const processLines: string[] = []
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal }))
  const base = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-retainedOutput)
        const lines = (rest + text).split('\n')
        rest = lines.pop() ?? ''
        processLines.push(...lines.filter((line) => /^\{.*"process":("supervisor"|\d+,.*"msg":"ready")/.test(line)))
        const listening = /"port":(\d+).*"msg":"listening"/.exec(output)
        if (listening) resolve(`http://127.0.0.1:${listening[1]}`)
      })
    }
    ended.then(({ code }) => reject(new Error(`the node ended with ${code}: ${output}`)))
  })
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null
  const kill = async (): Promise<void> => {
    if (isAlive()) child.kill('SIGKILL')
    await ended
  }
  return {
    name,
    base,
    pid: child.pid ?? 0,
    ended,
    isAlive,
    kill,
    signal: (signal) => void child.kill(signal),
    usage: () => usageOf(child.pid ?? 0),
    output: () => output,
    processLines: () => processLines,
    [Symbol.asyncDispose]: kill,
  }
}

/** The resource use of a process, from Linux's /proc; ticks are hundredths of a second. */
function usageOf(pid: number): Usage {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'
  const [, queued = '0'] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
  return {
    residentMb: Number(resident) / 1024,
    cpuMs: (Number(fields[11]) + Number(fields[12])) * 10,
    queuedMs: Number(queued) / 1e6,
  }
}

const running = new Set<number>()
let keeper: ChildProcess | undefined

function watch(child: ChildProcess): void {
  const { pid } = child
  if (pid === undefined) return
  running.add(pid)
  tellKeeper()
  child.once('exit', () => {
    running.delete(pid)
    tellKeeper()
  })
}

function tellKeeper(): void {
  if (!keeper) {
    const script = 'while read -r line; do pids=$line; done; [ -z "$pids" ] || kill -9 $pids'
    keeper = spawn('sh', ['-c', script], { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
    keeper.unref()
    // Its pipe must not keep the runner alive; a pipe to a child is a socket, which can be unreferenced.
    if (keeper.stdin && 'unref' in keeper.stdin && typeof keeper.stdin.unref === 'function') keeper.stdin.unref()
  }
  keeper.stdin?.write(`${[...running].join(' ')}\n`)
}
