/** The month on view, its free times, and the days that the visitor can reach. */
import { useEffect, useMemo, useReducer, useState } from 'preact/hooks'
import { nowInSeconds, usePage } from '../page.ts'
import { nextFreeDay, type Slot, slotsByDay } from '../slots.ts'
import { addDays, addMonths, type Day, type Month, monthOf } from '../time/days.ts'

const secondsOfDay = 86_400
const usualDays = 30

export interface ShownSlots {
  today: Day
  month: Month
  first: Month
  last: Month
  focused: Day
  chosen: Day | undefined
  state: 'loading' | 'ready' | 'failed'
  byDay: ReadonlyMap<Day, readonly Slot[]>
  /** Whether no day at all can be booked. */
  isNothingFree: boolean
  show(month: Month, focus?: Day): void
  focus(day: Day): void
  choose(day: Day): void
  jump(): Promise<void>
  retry(): void
}

export function useShownSlots(): ShownSlots {
  const { store, formats, settings, announce, t } = usePage()
  const today = formats.dayOf(nowInSeconds())
  const days = settings.scheduler.available_days_in_future ?? usualDays
  const [first, last] = [monthOf(today), monthOf(formats.dayOf(nowInSeconds() + days * secondsOfDay))]
  const [month, setMonth] = useState<Month>(first)
  const [focused, setFocused] = useState<Day>(today)
  const [chosen, setChosen] = useState<Day>()
  const [isNothingFree, setNothingFree] = useState(false)
  const [version, changed] = useReducer((count: number) => count + 1, 0)
  useEffect(() => store.listen(() => changed(undefined)), [store])

  const loaded = store.month(month)
  const byDay = useMemo(() => {
    const all = slotsByDay(loaded?.slots ?? [], formats)
    return new Map([...all].filter(([day]) => monthOf(day) === month))
  }, [loaded, formats, month, version])

  const open = (day: Day): void => {
    setMonth(monthOf(day))
    setFocused(day)
    setChosen(day)
  }
  const find = async (after: Day): Promise<Day | undefined> => {
    const found = await nextFreeDay({ store, formats, last }, after)
    if (found !== undefined) open(found)
    return found
  }
  // The first free day opens by itself, once.
  useEffect(() => {
    const search = async (): Promise<void> => {
      const found = await find(addDays(today, -1))
      if (found === undefined && store.month(last)?.state === 'ready') setNothingFree(true)
      // The next month is often the next click.
      else if (found !== undefined && monthOf(found) < last) void store.load(addMonths(monthOf(found), 1))
    }
    void search()
  }, [store])
  // A failed month stays as it is until the visitor asks for it again.
  useEffect(() => {
    if (!store.month(month)) void store.load(month)
  }, [store, month, version])

  return {
    today,
    month,
    first,
    last,
    focused,
    chosen,
    byDay,
    isNothingFree,
    state: loaded?.state ?? 'loading',
    show(next, focus) {
      setMonth(next)
      setFocused(focus ?? (next === first ? today : `${next}-01`))
      setChosen(undefined)
      void store.load(next).then(() => {
        const free = slotsByDay(store.month(next)?.slots ?? [], formats)
        const count = [...free.keys()].filter((day) => monthOf(day) === next).length
        announce(t('month_loaded', { month: formats.month(next), count }))
      })
    },
    focus: setFocused,
    choose(day) {
      setFocused(day)
      setChosen(day)
    },
    async jump() {
      const found = (await find(addDays(`${month}-01`, -1))) ?? (await find(addDays(today, -1)))
      if (found !== undefined) announce(formats.longDay(found))
    },
    retry: () => store.forget(),
  }
}
