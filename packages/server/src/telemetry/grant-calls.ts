/**
 * Calls of each grant, summed by hour and route in memory and written every few seconds, so that a request costs one
 * addition. A sum that keeps growing is written every half minute.
 */
import type { Clock } from '@waypost/platform/clock'
import type { Log } from '@waypost/platform/log'
import type { Queries } from '@waypost/store/engine/database'
import { addCalls, type CallSum } from '@waypost/store/tables/grants/grant-calls'

export interface CallBook extends AsyncDisposable {
  answered(call: AnsweredCall): void
  flush(): Promise<void>
}
export interface AnsweredCall {
  grantId: string
  route: string
  status: number
  milliseconds: number
  requestId: string
}

const hourMs = 3_600_000
const againMs = 30_000
/** Sums held in memory; further calls are not summed. */
const maxSums = 50_000

const added = (a: CallSum, b: CallSum): CallSum => ({
  ...(a.lastAt > b.lastAt ? a : b),
  requests: a.requests + b.requests,
  refused: a.refused + b.refused,
  errors: a.errors + b.errors,
  milliseconds: a.milliseconds + b.milliseconds,
})

/** The part of a sum that is not written yet, and the time of the last write. */
interface HeldSum extends CallSum {
  writtenAt: number
}

export function createCallBook(queries: Queries, { clock, log }: { clock: Clock; log: Log }): CallBook {
  /** Sums of the current hour, by grant and then by route. */
  const sums = new Map<string, Map<string, HeldSum>>()
  let count = 0
  /** Sums of finished hours, or of failed writes. */
  let over = new Map<string, CallSum>()
  const keep = (sum: CallSum): void => {
    const key = `${sum.grantId} ${sum.hour} ${sum.route}`
    const before = over.get(key)
    if (!before && over.size >= maxSums) return
    over.set(key, before ? added(before, sum) : { ...sum })
  }

  const empty = (): Pick<HeldSum, 'requests' | 'refused' | 'errors' | 'milliseconds'> => ({
    requests: 0,
    refused: 0,
    errors: 0,
    milliseconds: 0,
  })
  const hourNow = (now: number): number => Math.floor(now / hourMs) * hourMs
  const heldOf = ({ grantId, route, requestId }: AnsweredCall, now: number): HeldSum | undefined => {
    let ofGrant = sums.get(grantId)
    const hour = hourNow(now)
    const known = ofGrant?.get(route)
    if (known?.hour === hour) return known
    if (known && known.requests > 0) keep(known)
    if (!known && count >= maxSums) return undefined
    ofGrant ??= new Map()
    sums.set(grantId, ofGrant)
    const fresh: HeldSum = { grantId, hour, route, ...empty(), lastAt: now, lastRequestId: requestId, writtenAt: 0 }
    ofGrant.set(route, fresh)
    if (!known) count++
    return fresh
  }

  /** The sums to write now. Sums whose hour is over are dropped from memory. */
  const take = (now: number, all: boolean): CallSum[] => {
    for (const [grantId, ofGrant] of sums) {
      for (const [route, held] of ofGrant) {
        const isOver = held.hour !== hourNow(now)
        if (held.requests > 0 && (all || isOver || now - held.writtenAt >= againMs)) {
          keep(held)
          Object.assign(held, empty(), { writtenAt: now })
        } else if (held.requests === 0 && now - held.writtenAt >= againMs) {
          ofGrant.delete(route)
          count--
        }
      }
      if (ofGrant.size === 0) sums.delete(grantId)
    }
    const taken = [...over.values()]
    over = new Map()
    return taken
  }
  const write = async (all: boolean): Promise<void> => {
    const taken = take(clock.now(), all)
    if (taken.length === 0) return
    try {
      await addCalls(queries, taken)
    } catch (error) {
      for (const sum of taken) keep(sum)
      log.warn({ error }, 'calls of grants could not be written; it is tried again')
    }
  }

  return {
    answered(call) {
      const now = clock.now()
      const held = heldOf(call, now)
      if (!held) return
      held.requests++
      if (call.status >= 500) held.errors++
      else if (call.status >= 400) held.refused++
      held.milliseconds += Math.round(call.milliseconds)
      held.lastAt = now
      held.lastRequestId = call.requestId
    },
    flush: () => write(false),
    [Symbol.asyncDispose]: () => write(true),
  }
}
