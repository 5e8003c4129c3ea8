/**
 * Logs requests that were refused, and not more of them than somebody can read: whoever floods the service with what it
 * refuses must not fill the log with it. Of each client a few lines a minute are written, and of strangers together not
 * many; how many were left out is counted, and told once a minute. At the level `debug` all are written.
 */
import type { Log } from '../lib/log.ts'
import type { Count } from '../lib/tally.ts'

/** Whose request it was: an application once that is known, else an address. */
export type Refusing = { application: string } | { address: string }

export interface RefusalLog extends Disposable {
  /** `line` is made only where it is written. */
  note(who: Refusing, line: () => object): void
}

export interface RefusalLogOptions {
  log: Log
  /** Counts what was left out. */
  suppressed: Count
  now?(): number
  perClient?: number
  perStrangers?: number
}

const windowMs = 60_000
/** Clients that are told apart; what comes from others is left out. */
const maxClients = 5_000
const message = 'request refused'

export function createRefusalLog({
  log,
  suppressed,
  now = () => performance.now(),
  perClient = 60,
  perStrangers = 300,
}: RefusalLogOptions): RefusalLog {
  const written = new Map<string, number>()
  let strangers = 0
  let leftOut = 0
  let ends = 0
  let timer: NodeJS.Timeout | undefined

  const begin = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (leftOut > 0) log.info({ suppressed: leftOut }, 'more requests were refused than are logged one by one')
    written.clear()
    strangers = 0
    leftOut = 0
    ends = now() + windowMs
  }
  /** Whether a line of this client may be written; it counts then. */
  const mayWrite = (client: string, isStranger: boolean): boolean => {
    const before = written.get(client) ?? 0
    if (before >= perClient || (before === 0 && written.size >= maxClients)) return false
    if (isStranger && strangers >= perStrangers) return false
    written.set(client, before + 1)
    if (isStranger) strangers++
    return true
  }

  return {
    note(who, line) {
      if (now() >= ends) begin()
      const client = 'application' in who ? who.application : who.address
      if (mayWrite(client, 'address' in who)) {
        log.info(line(), message)
        return
      }
      leftOut++
      suppressed.value++
      // It is told at the end of the minute, whether or not anybody comes again.
      timer ??= setTimeout(begin, Math.max(0, ends - now())).unref()
      if (log.isLevelEnabled('debug')) log.debug(line(), message)
    },
    [Symbol.dispose]() {
      if (leftOut > 0) begin()
      clearTimeout(timer)
    },
  }
}
