/** A process of the service, as the supervisor sees it. */
import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Role } from '@waypost/store/tables/applications/nodes'
import type { Receiver } from './dispatch.ts'
import { type Order, type ProcessState, type Report, supervisedVariable } from './messages.ts'

export interface ProcessEnd {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface SupervisedProcess extends Receiver {
  readonly number: number
  readonly pid: number | undefined
  readonly startedAt: number
  state: ProcessState
  /** When it was last heard. */
  heardAt: number
  /** The id of its node, once it is ready. */
  node: string | undefined
  /** The supervisor killed it because it did not answer. */
  isHung: boolean
  /** Whether it became ready before it ended. */
  readonly ready: Promise<boolean>
  /** It has ended, and all of its output was passed on. */
  readonly ended: Promise<ProcessEnd>
  send(order: Order): void
  kill(): void
}

export interface ProcessStart {
  number: number
  count: number
  roles: readonly Role[]
  isFirst: boolean
  /** Passes on lines of its output. */
  write(lines: string): void
  writeError(lines: string): void
  heard(from: SupervisedProcess, report: Report): void
}

/**
 * The same program once more, with the same arguments: a program that was replaced on the disk since then starts as
 * its new version.
 */
function forkProgram(): ChildProcess {
  const [, program = '', ...args] = process.argv
  return fork(program, args, {
    env: { ...process.env, [supervisedVariable]: '1' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Figures contain numbers that JSON lacks, such as infinity.
    serialization: 'advanced',
  })
}

/** Starts a process. `forked` is for tests. */
export function startProcess(start: ProcessStart, forked: ChildProcess = forkProgram()): SupervisedProcess {
  const ready = Promise.withResolvers<boolean>()
  const ended = Promise.withResolvers<ProcessEnd>()
  const send = (order: Order, socket?: Socket): void => {
    // A process that just ended is reported by its `exit`; what was meant for it is given to others there.
    if (forked.connected) forked.send(order, socket, { keepOpen: true }, () => undefined)
  }
  const now = performance.now()
  const started: SupervisedProcess = {
    number: start.number,
    pid: forked.pid,
    startedAt: now,
    state: 'starting',
    heardAt: now,
    node: undefined,
    isHung: false,
    open: 0,
    handed: [],
    ready: ready.promise,
    ended: ended.promise,
    send,
    hand: (socket) => send({ type: 'connection' }, socket),
    kill: () => void forked.kill('SIGKILL'),
  }
  if (forked.stdout) passLines(forked.stdout, start.write)
  if (forked.stderr) passLines(forked.stderr, start.writeError)
  forked.on('message', (report: Report) => {
    started.heardAt = performance.now()
    if (report.type === 'ready') {
      started.node = report.node
      if (started.state === 'starting') started.state = 'ready'
    }
    start.heard(started, report)
    if (report.type === 'ready') ready.resolve(true)
  })
  // Without a program to start there is no exit either.
  forked.on('error', () => {
    if (forked.pid === undefined) ended.resolve({ code: 1, signal: null })
  })
  // However the supervisor exits, no process outlives it.
  const killNow = (): void => void forked.kill('SIGKILL')
  process.once('exit', killNow)
  forked.on('close', (code, signal) => {
    process.off('exit', killNow)
    ended.resolve({ code, signal })
  })
  void ended.promise.then(() => ready.resolve(false))
  const { number, count, roles, isFirst } = start
  send({ type: 'begin', number, count, roles, isFirst })
  return started
}

/** A longer line is passed on in parts, so that its process cannot fill the memory of the supervisor. */
const maxLineLength = 1_048_576

/** Splits text into lines, so that lines of several processes never mix. The rest waits for its end. */
export function lineSplitter(write: (line: string) => void): { add(text: string): void; end(): void } {
  let rest = ''
  return {
    add(text) {
      const end = text.lastIndexOf('\n')
      if (end === -1) rest += text
      else {
        write(rest + text.slice(0, end + 1))
        rest = text.slice(end + 1)
      }
      if (rest.length <= maxLineLength) return
      write(`${rest}\n`)
      rest = ''
    },
    end() {
      if (rest !== '') write(`${rest}\n`)
      rest = ''
    },
  }
}

/** Passes on everything that the stream says. */
export function passLines(stream: Readable, write: (lines: string) => void): void {
  const decoder = new StringDecoder('utf8')
  const lines = lineSplitter(write)
  stream.on('data', (bytes: Buffer) => lines.add(decoder.write(bytes)))
  stream.on('end', () => {
    lines.add(decoder.end())
    lines.end()
  })
}
