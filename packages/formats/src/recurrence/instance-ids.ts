/**
 * The id of one occurrence: `<master>_<slot>`. The slot is the original start in UTC (`YYYYMMDDTHHMMSSZ`), or the
 * date (`YYYYMMDD`) in an all-day series. The id stays the same when the occurrence moves, because it names the
 * original start.
 */

import { dayOf, SECONDS_PER_DAY } from '../timezones/dates.ts'
import { basicDate, basicUtc, parseBasic } from './series.ts'

export interface InstanceRef {
  readonly masterId: string
  readonly slot: string
}

/** The slot of an original start: Unix seconds, or the `YYYY-MM-DD` of an all-day series. */
export const slotOf = (originalStart: number | string): string =>
  typeof originalStart === 'number' ? basicUtc(originalStart) : basicDate(dayOf(originalStart))

/** The id of the occurrence of a series at a slot. */
export const instanceId = (masterId: string, slot: string): string => `${masterId}_${slot}`

/** Splits an instance id, or returns undefined if the id does not end in a slot. Our own ids never end in one. */
export function parseInstanceId(id: string): InstanceRef | undefined {
  const cut = id.lastIndexOf('_')
  if (cut < 1) return undefined
  const slot = id.slice(cut + 1)
  return slotKey(slot) === undefined ? undefined : { masterId: id.slice(0, cut), slot }
}

/** The slot of a key of such a series (see series.ts). */
export const slotOfKey = (kind: 'timed' | 'all-day', key: number): string =>
  kind === 'timed' ? basicUtc(key) : basicDate(key)

/** The key of a slot and the kind of series it can belong to, or undefined if the text is not a slot. */
export function slotKey(slot: string): { kind: 'timed' | 'all-day'; key: number } | undefined {
  const time = parseBasic(slot)
  if (time === undefined) return undefined
  if (time.seconds === undefined) return { kind: 'all-day', key: time.day }
  return time.utc ? { kind: 'timed', key: time.day * SECONDS_PER_DAY + time.seconds } : undefined
}
