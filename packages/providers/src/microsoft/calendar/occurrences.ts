/** Occurrences of a series by their starts. Graph has no EXDATE, so excluded occurrences are deleted one by one. */
import { SECONDS_PER_DAY } from '@waypost/formats/timezones/dates'
import { ApiError } from '@waypost/platform/api-error'
import { instant, nonEmptyText, object, text } from '@waypost/platform/json/reader'
import { secondsOf, timeText } from '../../calendar/exchange/when.ts'
import { isMissing } from '../errors.ts'
import { listOf } from '../graph-pages.ts'
import type { BatchCall, Session } from '../session.ts'
import { eventPath } from './calendar-api.ts'

const occurrence = object(
  { id: nonEmptyText, start: object({ dateTime: text }, { timeZone: text }) },
  { originalStart: instant, type: text },
)
const page = listOf(occurrence)

export interface SeriesAddress {
  calendarId: string | undefined
  id: string
  isAllDay: boolean
}

export interface FoundOccurrence {
  id: string
  /** `exception` if it was changed. */
  type?: string
}

/**
 * The occurrences at these starts: Unix seconds, or days for an all-day series. Undefined where there is none: it was
 * deleted, or never existed.
 */
export async function findOccurrences(
  session: Session,
  { calendarId, id, isAllDay }: SeriesAddress,
  keys: readonly number[],
): Promise<(FoundOccurrence | undefined)[]> {
  const path = `${eventPath(session, calendarId, id)}/instances`
  const startOf = (key: number): number => (isAllDay ? key * SECONDS_PER_DAY : key)
  const calls = keys.map((key) => ({
    path,
    // Days begin at midnight of the mailbox's zone, so the window is a day longer on both sides.
    query: {
      startDateTime: timeText(startOf(key) - SECONDS_PER_DAY),
      endDateTime: timeText(startOf(key) + SECONDS_PER_DAY),
      $select: 'id,start,originalStart,type',
      $top: 50,
    },
  }))
  const answers = await session.batch(calls, page)
  return answers.map((answer, place) => {
    if (answer instanceof ApiError) throw answer
    const start = startOf(keys[place] ?? 0)
    return answer.value.find((one) => {
      const shown = secondsOf(one.start)
      const original = one.originalStart === undefined ? shown : Math.floor(Date.parse(one.originalStart) / 1000)
      return isAllDay ? shown === start || original === start : original === start
    })
  })
}

/** Writes changes of occurrences in batches; returns those that Graph rejected, in their order. */
export async function writeOccurrences(
  session: Session,
  calls: readonly BatchCall[],
): Promise<{ place: number; error: ApiError }[]> {
  const answers = await session.batch<unknown>(calls, (value) => value ?? {})
  const failed = answers.flatMap((answer, place) =>
    answer instanceof ApiError && !isMissing(answer) ? [{ place, error: answer }] : [],
  )
  // Concurrent changes of one series may conflict. These are repeated one after the other, the last one first.
  const again: typeof failed = []
  for (const { place } of failed.toReversed()) {
    const { method = 'GET', path, body } = calls[place] ?? { path: '' }
    try {
      await session.execute(method, path, body === undefined ? {} : { body })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!isMissing(error)) again.push({ place, error })
    }
  }
  return again.toReversed()
}

/** Deletes the occurrences of a series at these starts. */
export async function deleteOccurrences(session: Session, at: SeriesAddress, keys: readonly number[]): Promise<void> {
  if (keys.length === 0) return
  const found = await findOccurrences(session, at, keys)
  const calls = found.flatMap((one) =>
    one ? [{ method: 'DELETE' as const, path: eventPath(session, at.calendarId, one.id) }] : [],
  )
  const [failure] = await writeOccurrences(session, calls)
  if (failure) throw failure.error
}
