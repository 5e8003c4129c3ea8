/** The supervisor of several processes of the service: its signals, and its exit status. */
import { constants } from 'node:os'
import { isatty } from 'node:tty'
import { createLog } from '@waypost/platform/log'
import { openOutput } from '@waypost/platform/log-output'
import type { Config } from '../config.ts'
import { FirstProcessEnded, startSupervisor } from '../supervisor/supervisor.ts'

/** Time for a process to end, besides the announcement. A node takes 1.4 s at most. */
const endMs = 2_500

/** Runs the supervisor until a signal; a second signal ends everything immediately. Returns the exit status. */
export async function supervise(config: Config, count: number): Promise<number> {
  const output = openOutput()
  const log = createLog(config.logLevel, output, { process: 'supervisor' })
  const announceMs = config.roles.includes('api') ? config.announceMs : 0
  const signals = followSignals(() => output.flushSync())
  try {
    const supervisor = await startSupervisor({
      count,
      log,
      announceMs,
      roles: config.roles,
      port: config.port,
      host: config.host,
      stopMs: announceMs + endMs,
      write: (lines) => void output.write(lines),
      writeError: (lines) => void process.stderr.write(lines),
    })
    await signals.untilStop(() => void supervisor.reload())
    await supervisor.stop()
    log.info({}, 'all processes stopped')
    return 0
  } catch (error) {
    // The process itself has printed why it did not start.
    if (error instanceof FirstProcessEnded) return statusOf(error.end)
    throw error
  } finally {
    output.flushSync()
  }
}

/** The exit status of a process, as shells count it. */
const statusOf = ({ code, signal }: { code: number | null; signal: NodeJS.Signals | null }): number =>
  code ?? 128 + (signal === null ? 0 : constants.signals[signal])

/** Signals that end the service. */
const endings = ['SIGINT', 'SIGTERM'] as const

/**
 * During the start, and while the service stops, a signal ends everything at once. Otherwise it stops the service.
 * SIGHUP replaces the processes, unless it comes from a terminal that was closed.
 */
function followSignals(beforeExit: () => void): { untilStop(reload: () => void): Promise<void> } {
  const isAtTerminal = isatty(1)
  let stop: (() => void) | undefined
  let reload: (() => void) | undefined
  let isReloadRequested = false
  const end = (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): void => {
    const stopNow = stop
    stop = undefined
    if (stopNow) stopNow()
    else {
      beforeExit()
      process.exit(128 + constants.signals[signal])
    }
  }
  for (const signal of endings) process.on(signal, () => end(signal))
  process.on('SIGHUP', () => {
    if (isAtTerminal && !isatty(1)) end('SIGHUP')
    else {
      isReloadRequested = true
      reload?.()
    }
  })
  return {
    untilStop: (call) =>
      new Promise((resolve) => {
        stop = () => {
          reload = undefined
          resolve()
        }
        reload = call
        if (isReloadRequested) call()
      }),
  }
}
