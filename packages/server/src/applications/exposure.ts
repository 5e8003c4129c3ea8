/**
 * Whether the service can be reached from other machines. It cannot as long as it listens only on loopback, its base
 * URL is loopback, and no request has ever shown signs of being forwarded. The first forwarded request changes this
 * on every node and across restarts, because a proxy that was there once may return.
 */
import { type Arrival, signOfForwarding } from '@waypost/platform/forwarding'
import type { Log } from '@waypost/platform/log'
import type { Queries } from '@waypost/store/engine/database'
import { keepFact, readFact } from '@waypost/store/tables/applications/installation'

export interface Exposure {
  readonly isExposed: boolean
  /** Checks a request before it is processed. */
  see(arrival: Arrival): void
  /** Stores what this node saw, and reads what other nodes may have stored. */
  follow(othersWrote: boolean): Promise<void>
}

export interface ExposureOptions {
  queries: Queries
  log: Log
  /** Whether the settings say that no other machine can reach it. */
  loopbackOnly: boolean
}

export async function openExposure({ queries, log, loopbackOnly }: ExposureOptions): Promise<Exposure> {
  let isExposed = !loopbackOnly || (await readFact(queries, 'forwarded_by')) !== undefined
  /** The evidence, until it is stored. */
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
        'a request came through a proxy: private addresses can no longer be reached unless WAYPOST_EGRESS=private, and /metrics needs a credential. Set WAYPOST_BASE_URL and WAYPOST_TRUSTED_PROXIES; "waypost doctor" explains more',
      )
      write().catch((error: unknown) =>
        log.warn({ error }, 'the exposure of the service could not be stored; it will be retried'),
      )
    },
    async follow(othersWrote) {
      await write()
      if (othersWrote && !isExposed) isExposed = (await readFact(queries, 'forwarded_by')) !== undefined
    },
  }
}
