/** Occurrences of a series: Graph has no EXDATE, so those that are left out are deleted one by one. */
import { SECONDS_PER_DAY } from '../../../formats/dates.ts'
import { instant, nonEmptyText, object, text } from '../../../lib/json-reader.ts'
import { secondsOf, timeText } from '../../calendar/exchange/when.ts'
import { isMissing } from '../errors.ts'
import { listAll } from '../graph-pages.ts'
import type { Session } from '../session.ts'
import { eventPath } from './calendar-api.ts'

const occurrence = object(
  { id: nonEmptyText, start: object({ dateTime: text }, { timeZone: text }) },
  { originalStart: instant },
)

export interface SeriesAddress {
  calendarId: string | undefined
  id: string
  isAllDay: boolean
}

/**
 * Deletes the occurrences of a series at these places: Unix seconds, or days of a series of whole days. One that is not there
 * is deleted already, or never was one.
 */
export async function deleteOccurrences(
  session: Session,
  { calendarId, id, isAllDay }: SeriesAddress,
  keys: readonly number[],
): Promise<void> {
  if (keys.length === 0) return
  const series = eventPath(session, calendarId, id)
  for (const key of keys) {
    const start = isAllDay ? key * SECONDS_PER_DAY : key
    const found = await listAll(session, {
      path: `${series}/instances`,
      // Days begin when they do in the mailbox's zone: a day around them is looked at.
      query: {
        startDateTime: timeText(start - SECONDS_PER_DAY),
        endDateTime: timeText(start + SECONDS_PER_DAY),
        $select: 'id,start,originalStart',
        $top: 50,
      },
      read: occurrence,
    })
    const wanted = found.find((one) => {
      const shown = secondsOf(one.start)
      const original = one.originalStart === undefined ? shown : Math.floor(Date.parse(one.originalStart) / 1000)
      return isAllDay ? shown === start || original === start : original === start
    })
    if (!wanted) continue
    await session.execute('DELETE', eventPath(session, calendarId, wanted.id)).catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
  }
}
