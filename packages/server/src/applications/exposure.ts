/**
 * Whether others than the people on this machine reach the service. It is not so while it listens on loopback alone, its
 * base address is loopback, and no request has ever shown that it was passed on. From the first one that does, it is, on
 * every node and after every restart: a proxy that was there once comes back.
 */
import { type Arrival, signOfForwarding } from '../lib/forwarding.ts'
import type { Log } from '../lib/log.ts'
import type { Queries } from '../store/engine/database.ts'
import { keepFact, readFact } from '../store/tables/applications/installation.ts'

export interface Exposure {
  readonly isExposed: boolean
  /** Looks at a request before anything is done for it. */
  see(arrival: Arrival): void
  /** Writes down what this node saw, and learns what others did, where they may have written. */
  follow(othersWrote: boolean): Promise<void>
}

export interface ExposureOptions {
  queries: Queries
  log: Log
  /** Whether the settings say that nobody else can reach it. */
  loopbackOnly: boolean
}

export async function openExposure({ queries, log, loopbackOnly }: ExposureOptions): Promise<Exposure> {
  let isExposed = !loopbackOnly || (await readFact(queries, 'forwarded_by')) !== undefined
  /** What shows it, until it is written down. */
  let sign: string | undefined

  const write = async (): Promise<void> => {
    if (sign === undefined) return
    await keepFact(queries, 'forwarded_by', sign)
    sign = undefined
  }

  return {
    get isExposed() {
      return isExposed
    },
    see(arrival) {
      if (isExposed) return
      sign = signOfForwarding(arrival)
      if (sign === undefined) return
      isExposed = true
      log.warn(
        { sign },
        'a request came through a proxy: private addresses are out of reach from now on, unless WAYPOST_EGRESS=private, and /metrics needs a credential. Set WAYPOST_BASE_URL and WAYPOST_TRUSTED_PROXIES; "waypost doctor" tells more',
      )
      write().catch((error: unknown) => log.warn({ error }, 'it could not be written down; it is tried again'))
    },
    async follow(othersWrote) {
      await write()
      if (othersWrote && !isExposed) isExposed = (await readFact(queries, 'forwarded_by')) !== undefined
    },
  }
}
