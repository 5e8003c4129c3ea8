// The id of one occurrence: `<master>_<slot>`, where the slot is the original start in UTC (`YYYYMMDDTHHMMSSZ`), or the
// date (`YYYYMMDD`) of an all-day series. It survives moving the occurrence, because it names the place and not the time.

import { basicDate, basicUtc, parseBasic } from '../recurrence/series.ts'
import { dayOf, SECONDS_PER_DAY } from '../timezones/dates.ts'

export interface InstanceRef {
  readonly masterId: string
  readonly slot: string
}

/** The slot of an original start: Unix seconds, or the `YYYY-MM-DD` of an all-day series. */
export const slotOf = (originalStart: number | string): string =>
  typeof originalStart === 'number' ? basicUtc(originalStart) : basicDate(dayOf(originalStart))

/** The id of the occurrence of a series at a slot. */
export const instanceId = (masterId: string, slot: string): string => `${masterId}_${slot}`

/** Takes an instance id apart; undefined when the id does not end in a slot. An id of ours never does by itself. */
export function parseInstanceId(id: string): InstanceRef | undefined {
  const cut = id.lastIndexOf('_')
  if (cut < 1) return undefined
  const slot = id.slice(cut + 1)
  return slotKey(slot) === undefined ? undefined : { masterId: id.slice(0, cut), slot }
}

/** The slot of a key of such a series (see series.ts). */
export const slotOfKey = (kind: 'timed' | 'all-day', key: number): string =>
  kind === 'timed' ? basicUtc(key) : basicDate(key)

/** The number a slot stands for and the kind of series it can belong to; undefined when the text is no slot. */
export function slotKey(slot: string): { kind: 'timed' | 'all-day'; key: number } | undefined {
  const time = parseBasic(slot)
  if (time === undefined) return undefined
  if (time.seconds === undefined) return { kind: 'all-day', key: time.day }
  return time.utc ? { kind: 'timed', key: time.day * SECONDS_PER_DAY + time.seconds } : undefined
}
