/**
 * Logs refused requests, within bounds: a flood of refused requests must not fill the log. Each client gets a few
 * lines a minute, and all clients without an application together a limited number. Omitted lines are counted and
 * reported once a minute. At the level `debug` all lines are written.
 */
import type { Log } from '@waypost/platform/log'
import type { Count } from '@waypost/platform/tally'

/** The source of a request: its application once that is authenticated, else its address. */
export type Refusing = { application: string } | { address: string }

export interface RefusalLog extends Disposable {
  /** `line` is called only if it is written. */
  note(who: Refusing, line: () => object): void
}

export interface RefusalLogOptions {
  log: Log
  /** Counts omitted lines. */
  suppressed: Count
  now?(): number
  perClient?: number
  perStrangers?: number
}

const windowMs = 60_000
/** Clients that are counted separately; lines of further clients are omitted. */
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
  /** Whether a line of this client may be written; counts it if so. */
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
      // The omitted lines are reported at the end of the minute, even if no further request arrives.
      timer ??= setTimeout(begin, Math.max(0, ends - now())).unref()
      if (log.isLevelEnabled('debug')) log.debug(line(), message)
    },
    [Symbol.dispose]() {
      if (leftOut > 0) begin()
      clearTimeout(timer)
    },
  }
}
