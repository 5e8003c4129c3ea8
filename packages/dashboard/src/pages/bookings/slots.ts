/** Free times by day, in a time zone. Pure. */
import { addDays, dateOf, secondsOf, wallOf } from '../calendar/zones.ts'

interface Timed {
  start_time: number
}

export interface DayOfSlots<S> {
  /** Such as `2026-11-20`. */
  date: string
  slots: readonly S[]
}

/** Slots by day, in order. Days without slots are absent. */
export function byDay<S extends Timed>(slots: readonly S[], zone: string): DayOfSlots<S>[] {
  const days = Map.groupBy(
    [...slots].sort((a, b) => a.start_time - b.start_time),
    ({ start_time }) => dateOf(wallOf(start_time, zone)),
  )
  return [...days].map(([date, found]) => ({ date, slots: found }))
}

/** Round robin offers the same time once per host. Each start is shown once. */
export const eachStart = <S extends Timed>(slots: readonly S[]): S[] => [
  ...new Map(slots.map((slot) => [slot.start_time, slot])).values(),
]

/** Seven days from a date, in Unix seconds. */
export const weekFrom = (date: string, zone: string): { start_time: number; end_time: number } => ({
  start_time: secondsOf(`${date}T00:00`, zone),
  end_time: secondsOf(`${addDays(date, 7)}T00:00`, zone),
})
