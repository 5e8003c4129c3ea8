/** When people are busy, as Google computes it: for free/busy and for availability. */
import type { FreeBusy, FreeBusyQuery } from '@waypost/contract'
import { ApiError } from '../../../lib/api-error.ts'
import { instant, list, object, record, text } from '../../../lib/json/reader.ts'
import {
  checkFreeBusyWindow,
  freeBusyError,
  freeBusyFrom,
  lastBooking,
  noCalendarFor,
  unknownCalendar,
} from '../../calendar/free-busy.ts'
import type { BusyBlock, Provider } from '../../provider.ts'
import type { Session } from '../session.ts'
import { calendarIdOf, eventPath } from './calendar-api.ts'
import { timeText } from './mapping/when.ts'

/** The window and the number of calendars that Google accepts in one request. */
const pieceSeconds = 60 * 86_400
const calendarsAtOnce = 50

const busyBlock = object({ start: instant, end: instant }, {})
const notified = object({}, { busy: list(busyBlock), errors: list(object({}, { reason: text })) })
const answered = object({}, { calendars: record(notified) })
const statusAlone = object({}, { status: text })

const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1000)

/** Google's answer for each calendar, by its id in lower case. */
async function ask(
  session: Session,
  ids: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<Map<string, { busy: BusyBlock[]; problem: string | undefined }>> {
  const told = new Map<string, { busy: BusyBlock[]; problem: string | undefined }>()
  for (let start = from; start < to; start += pieceSeconds) {
    for (let first = 0; first < ids.length; first += calendarsAtOnce) {
      const body = {
        timeMin: timeText(start),
        timeMax: timeText(Math.min(to, start + pieceSeconds)),
        items: ids.slice(first, first + calendarsAtOnce).map((id) => ({ id })),
      }
      const answer = await session.call('calendar', 'POST', 'freeBusy', {
        read: answered,
        body,
        query: { fields: 'calendars' },
      })
      for (const [id, { busy = [], errors = [] }] of Object.entries(answer.calendars ?? {})) {
        const key = id.toLowerCase()
        const known = told.get(key) ?? { busy: [], problem: undefined }
        known.busy.push(...busy.map((block) => ({ start: secondsOf(block.start), end: secondsOf(block.end) })))
        known.problem ??= errors[0] && (errors[0].reason ?? 'unknown')
        told.set(key, known)
      }
    }
  }
  return told
}

export async function freeBusy(session: Session, query: FreeBusyQuery): Promise<FreeBusy[]> {
  const { start_time: from, end_time: to, emails } = query
  checkFreeBusyWindow(query)
  const idOf = (email: string): string => calendarIdOf(session, email.trim())
  const told = await ask(session, [...new Set(emails.map(idOf))], { from, to })
  return emails.map((email): FreeBusy => {
    const known = told.get(idOf(email).toLowerCase())
    if (!known || known.problem === 'notFound') return noCalendarFor(email)
    if (known.problem) return freeBusyError(email, `Google returned no free/busy for ${email}: ${known.problem}`)
    return freeBusyFrom(email, known.busy, query)
  })
}

export const availability: NonNullable<Provider<Session>['availability']> = {
  async busy(session, { calendarIds, from, to }) {
    const ids = [...new Set(calendarIds.map((id) => calendarIdOf(session, id)))]
    const told = await ask(session, ids, { from, to })
    return ids.flatMap((id) => {
      const known = told.get(id.toLowerCase())
      if (known && !known.problem) return known.busy
      throw unknownCalendar(session, id)
    })
  },
  lastBooked: (session, at) =>
    lastBooking(at, {
      realId: (id) => calendarIdOf(session, id),
      isActive: ({ calendarId, id }) => isActive(session, calendarId, id),
    }),
}

async function isActive(session: Session, calendarId: string, id: string): Promise<boolean> {
  try {
    const path = eventPath(session, calendarId, id)
    const query = { fields: 'status' }
    const event = await session.call('calendar', 'GET', path, { query, read: statusAlone })
    return event.status !== 'cancelled'
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return false
    throw error
  }
}
