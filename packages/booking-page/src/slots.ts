/** Free times by month: loaded when a month is shown, kept until something was booked. */
import type { BookableSlot } from '@waypost/contract'
import type { Client } from './api.ts'
import { addMonths, type Day, type Month, monthOf, windowOf } from './time/days.ts'
import type { Formats } from './time/formats.ts'

export type Slot = BookableSlot

export interface MonthOfSlots {
  state: 'loading' | 'ready' | 'failed'
  slots: readonly Slot[]
}

export interface SlotStore {
  month(month: Month): MonthOfSlots | undefined
  /** Loads a month, unless it is known. */
  load(month: Month): Promise<void>
  /** Forgets everything, because a time was taken or much time has passed. */
  forget(): void
  /** Hosts in the order of round robin. */
  order(): readonly string[]
  listen(changed: () => void): () => void
}

export function createSlotStore(client: Pick<Client, 'slots'>, now: () => number): SlotStore {
  const months = new Map<Month, MonthOfSlots>()
  const underWay = new Map<Month, Promise<void>>()
  const listeners = new Set<() => void>()
  let order: readonly string[] = []
  const put = (month: Month, value: MonthOfSlots): void => {
    months.set(month, value)
    for (const changed of listeners) changed()
  }
  const read = async (month: Month): Promise<void> => {
    const { start, end } = windowOf(month)
    put(month, { state: 'loading', slots: months.get(month)?.slots ?? [] })
    try {
      const found = end <= now() ? { time_slots: [] } : await client.slots({ start: Math.max(start, now()), end })
      order = found.order ?? order
      put(month, { state: 'ready', slots: found.time_slots ?? [] })
    } catch {
      put(month, { state: 'failed', slots: [] })
    }
  }
  return {
    month: (month) => months.get(month),
    load(month) {
      if (months.get(month)?.state === 'ready') return Promise.resolve()
      const running = underWay.get(month) ?? read(month).finally(() => underWay.delete(month))
      underWay.set(month, running)
      return running
    },
    forget() {
      months.clear()
      for (const changed of listeners) changed()
    },
    order: () => order,
    listen(changed) {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
  }
}

/** Free times of a month by day, in the visitor's time zone. */
export function slotsByDay(slots: readonly Slot[], { dayOf }: Pick<Formats, 'dayOf'>): Map<Day, Slot[]> {
  const byDay = new Map<Day, Slot[]>()
  for (const slot of slots.toSorted((a, b) => a.start_time - b.start_time)) {
    const day = dayOf(slot.start_time)
    const listed = byDay.get(day)
    if (listed) listed.push(slot)
    else byDay.set(day, [slot])
  }
  return byDay
}

/** Key of a slot: group events can start at the same time. */
export const keyOf = ({ start_time, end_time, event_id = '' }: Slot): string => `${start_time} ${end_time} ${event_id}`

interface Search {
  store: SlotStore
  formats: Pick<Formats, 'dayOf'>
  /** The last month that can be booked. */
  last: Month
}

/** The first day with a free time after a day, or undefined if none can be booked. */
export async function nextFreeDay({ store, formats, last }: Search, after: Day): Promise<Day | undefined> {
  for (let month = monthOf(after); month <= last; month = addMonths(month, 1)) {
    await store.load(month)
    const found = store.month(month)
    if (found?.state !== 'ready') return undefined
    const days = [...slotsByDay(found.slots, formats).keys()].filter((day) => day > after && monthOf(day) === month)
    if (days[0] !== undefined) return days[0]
  }
  return undefined
}

/** The free times nearest to one that was taken, in order of time. */
export async function nearestSlots(
  { store, formats, last }: Search,
  taken: Slot,
  count: number,
): Promise<readonly Slot[]> {
  const month = monthOf(formats.dayOf(taken.start_time))
  const next = addMonths(month, 1)
  await store.load(month)
  const near = (): Slot[] => [...(store.month(month)?.slots ?? []), ...(store.month(next)?.slots ?? [])]
  if (near().length < count && next <= last) await store.load(next)
  const unique = new Map(near().map((slot) => [keyOf(slot), slot]))
  unique.delete(keyOf(taken))
  const distance = ({ start_time }: Slot): number => Math.abs(start_time - taken.start_time)
  return [...unique.values()]
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, count)
    .sort((a, b) => a.start_time - b.start_time)
}

/** With round robin: the first host in order who is free. Otherwise the server books everyone. */
export function hostsOf({ emails }: Slot, order: readonly string[]): { email: string }[] {
  const host = order.find((email) => emails?.includes(email))
  return host === undefined ? [] : [{ email: host }]
}
