/** `waypost serve` with several processes, on a separate database. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { migratedDatabase } from '@waypost/testing/peers/database-url'
import { processEnvironment, programFile } from '@waypost/testing/programs'
import { vi } from 'vitest'
import type { Ended } from '../faults/node.ts'

export interface LogLine {
  process?: number | 'supervisor'
  msg: string
  pid?: number
  port?: number
  place?: number
  node?: string
}

export interface Running extends AsyncDisposable {
  readonly base: string
  readonly pid: number
  readonly ended: Promise<Ended>
  /** All lines of the log so far. */
  log(): LogLine[]
  output(): string
  /** The process that became ready last in a place. */
  processAt(place: number): number
  /** Waits for the n-th line with this message. */
  logged(message: string, count?: number): Promise<LogLine>
  signal(signal: NodeJS.Signals): void
}

const patience = { timeout: 60_000, interval: 50 }

/** Waits as long as a busy machine may need. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, patience)

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export async function startProcesses(count: number, settings: Record<string, string> = {}): Promise<Running> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await mkdtempDisposable(path.join(tmpdir(), 'waypost-processes-')))
  const database = stack.use(await migratedDatabase())
  const child = spawn(process.execPath, [await programFile('waypost'), 'serve'], {
    env: {
      ...processEnvironment,
      ...{ WAYPOST_PORT: '0', WAYPOST_DATA_DIR: folder.path, WAYPOST_WORKERS: String(count) },
      ...{ DATABASE_URL: database.url, WAYPOST_SHUTDOWN_ANNOUNCE_MS: '100' },
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal }))
  stack.defer(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const log = (): LogLine[] =>
    output.split('\n').flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line)] : []))
  const logged = (message: string, nth = 1): Promise<LogLine> =>
    eventually(() => {
      const line = log().filter(({ msg }) => msg === message)[nth - 1]
      if (!line) throw new Error(`not logged: ${message}, but ${output}`)
      return line
    })
  const { port } = await Promise.race([
    logged('listening'),
    ended.then(({ code }) => {
      throw new Error(`ended with ${code}: ${output}`)
    }),
  ])
  const open = stack.move()
  return {
    base: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    ended,
    log,
    output: () => output,
    processAt: (place) => log().findLast((line) => line.msg === 'ready' && line.process === place)?.pid ?? 0,
    logged,
    signal: (signal) => void child.kill(signal),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}
