import type { Calendar, CalendarChange } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import { needTimeZone } from '../../calendar/event-input.ts'
import type { Operations } from '../../operations.ts'
import { collectPage } from '../../shared/paging.ts'
import { providerStatus } from '../../shared/refusal.ts'
import type { Session } from '../session.ts'
import {
  calendarFields,
  calendarPath,
  type GoogleCalendar,
  googleCalendar,
  googleCalendars,
  isPrimary,
} from './calendar-api.ts'
import { freeBusy } from './free-busy.ts'
import { fromCalendar } from './mapping/calendar.ts'

const list = 'users/me/calendarList'
const entryPath = (session: Session, id: string): string =>
  `${list}/${isPrimary(session, id) ? 'primary' : encodeURIComponent(id)}`

const readEntry = (session: Session, id: string): Promise<GoogleCalendar> =>
  session.call('calendar', 'GET', entryPath(session, id), { query: { fields: calendarFields }, read: googleCalendar })

/** The fields of the calendar itself, which all its users see. */
function sharedFields({ name, description, location, timezone }: CalendarChange): Record<string, unknown> {
  return {
    ...(name === undefined ? {} : { summary: name }),
    ...(description === undefined ? {} : { description }),
    ...(location === undefined ? {} : { location }),
    ...(timezone === undefined ? {} : { timeZone: needTimeZone(timezone) }),
  }
}

/** The fields of the account's own list of calendars. A color cannot be reset to Google's default. */
function colours({ hex_color: background, hex_foreground_color: foreground }: CalendarChange): Record<string, string> {
  return {
    ...(background ? { backgroundColor: background } : {}),
    ...(foreground ? { foregroundColor: foreground } : {}),
  }
}

const isEmpty = (fields: object): boolean => Object.keys(fields).length === 0

export const calendars: Operations<Session>['calendars'] = {
  async list(session, query, position) {
    return collectPage<GoogleCalendar, Calendar>(
      {
        position,
        limit: query.limit,
        page: async (token, size) => {
          const fields = `nextPageToken,items(${calendarFields})`
          const query = { maxResults: size, pageToken: token, fields }
          const answer = await session.call('calendar', 'GET', list, { query, read: googleCalendars })
          return { items: answer.items ?? [], next: answer.nextPageToken }
        },
      },
      (one) => fromCalendar(one, session.grant.id),
    )
  },
  get: async (session, at) => fromCalendar(await readEntry(session, at.calendar_id), session.grant.id),
  async create(session, draft) {
    const { timezone, description, location, name } = draft
    const body = sharedFields({
      name,
      ...(description ? { description } : {}),
      ...(location ? { location } : {}),
      ...(timezone ? { timezone } : {}),
    })
    const made = await session.call('calendar', 'POST', 'calendars', { body, read: googleCalendar })
    return fromCalendar(await readEntry(session, made.id), session.grant.id)
  },
  async update(session, at, change) {
    const shared = sharedFields(change)
    const own = colours(change)
    if (!isEmpty(shared)) {
      await session.execute('calendar', 'PATCH', calendarPath(session, at.calendar_id), { body: shared })
    }
    if (isEmpty(own)) return fromCalendar(await readEntry(session, at.calendar_id), session.grant.id)
    const query = { colorRgbFormat: true, fields: calendarFields }
    const path = entryPath(session, at.calendar_id)
    const entry = await session.call('calendar', 'PATCH', path, { query, body: own, read: googleCalendar })
    return fromCalendar(entry, session.grant.id)
  },
  async delete(session, at) {
    if (isPrimary(session, at.calendar_id)) {
      throw invalidField('calendar_id', 'the primary calendar cannot be deleted')
    }
    try {
      await session.execute('calendar', 'DELETE', calendarPath(session, at.calendar_id))
    } catch (error) {
      if (providerStatus(error) !== 403) throw error
      // A calendar of another owner is removed from the account's list and stays where it is.
      await session.execute('calendar', 'DELETE', entryPath(session, at.calendar_id))
    }
  },
  freeBusy,
}
