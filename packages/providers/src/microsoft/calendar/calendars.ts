import { ApiError, invalidField } from '@waypost/platform/api-error'
import { nameTaken, noCalendar } from '../../calendar/exchange/refusals.ts'
import type { Operations } from '../../operations.ts'
import { collect, Place } from '../../shared/paging.ts'
import { providerStatus } from '../../shared/refusal.ts'
import { listAll, listPage } from '../graph-pages.ts'
import { mailboxPath, type Session } from '../session.ts'
import { calendarFields, calendarPath, type GraphCalendar, graphCalendar } from './calendar-api.ts'
import { freeBusy } from './free-busy.ts'
import { asMissing, forgetCalendar, readCalendar } from './known-calendars.ts'
import { fromCalendar } from './mapping/calendar.ts'

async function findNamed(session: Session, name: string): Promise<GraphCalendar | undefined> {
  const list = { path: mailboxPath(session, 'calendars'), query: { $select: calendarFields, $top: 100 } }
  return (await listAll(session, { ...list, read: graphCalendar })).find((one) => one.name === name)
}

const asTaken = (error: unknown): unknown =>
  error instanceof ApiError && providerStatus(error) === 409 ? nameTaken(error) : error

export const calendars: Operations<Session>['calendars'] = {
  async list(session, query, position) {
    const found = await collect<GraphCalendar>({
      place: position === undefined ? undefined : Place.parse(position),
      limit: query.limit,
      page: (place, size) =>
        listPage(
          session,
          {
            path: mailboxPath(session, 'calendars'),
            query: { $select: calendarFields, $top: size },
            read: graphCalendar,
          },
          place,
        ),
    })
    const items = found.items.map((one) => fromCalendar(one, session.grant))
    return found.next ? { items, next: found.next } : { items }
  },
  get: async (session, at) => fromCalendar(await readCalendar(session, at.calendar_id), session.grant),
  async create(session, { name }, { once } = {}) {
    const options = { body: { name }, read: graphCalendar }
    try {
      return fromCalendar(await session.call('POST', mailboxPath(session, 'calendars'), options), session.grant)
    } catch (error) {
      // Names of calendars are unique in Exchange, so an existing one may be the result of an earlier attempt.
      const made = once?.again && providerStatus(error) === 409 ? await findNamed(session, name) : undefined
      if (made) return fromCalendar(made, session.grant)
      throw asTaken(error)
    }
  },
  async update(session, at, { name }) {
    if (name === undefined) return fromCalendar(await readCalendar(session, at.calendar_id), session.grant)
    try {
      const options = { body: { name }, read: graphCalendar }
      const path = calendarPath(session, at.calendar_id)
      return fromCalendar(await session.call('PATCH', path, options), session.grant)
    } catch (error) {
      throw asMissing(asTaken(error), noCalendar)
    }
  },
  async delete(session, at) {
    const { id, isDefaultCalendar } = await readCalendar(session, at.calendar_id)
    if (isDefaultCalendar) throw invalidField('calendar_id', 'the primary calendar cannot be deleted')
    try {
      await session.execute('DELETE', calendarPath(session, id))
    } catch (error) {
      throw asMissing(error, noCalendar)
    } finally {
      forgetCalendar(session, id)
    }
  },
  freeBusy,
}
