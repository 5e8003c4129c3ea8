/** Calendars of an account: the collections with events in its home on the server. */

import type { Calendar, CalendarChange, CalendarDraft } from '@waypost/contract'
import { resolveTimeZone } from '@waypost/formats/timezones/timezones'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { newId } from '@waypost/platform/ids'
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import type { Operations } from '../../operations.ts'
import { isNotFound, notFound } from '../../shared/named-objects.ts'
import { providerStatus } from '../../shared/refusal.ts'
import { collectionAddress, isSameCollection } from '../hrefs.ts'
import { collectionId } from '../ids.ts'
import type { DavResponse } from '../multistatus.ts'
import type { DavSession, Home } from '../session.ts'
import {
  calendarUrl,
  forgetCalendar,
  homeOf,
  isPrimary,
  listCollections,
  readCollection,
  serviceOf,
} from './known-calendars.ts'
import { fromCollection, toProps } from './mapping/calendar.ts'
import type { CalDavTraits } from './traits.ts'

/** A page begins after the calendar with this id. */
const isPosition = (position: unknown): position is string => typeof position === 'string'

/** Maps a missing calendar and a missing permission to API errors. */
function asRefusal(error: unknown): unknown {
  if (isNotFound(error)) return notFound('calendar')
  if (providerStatus(error) !== 403 || !(error instanceof ApiError)) return error
  const { providerError } = error.details
  const words = 'the server does not let the account do this with the calendar'
  return new ApiError('invalid_request', words, { ...(providerError ? { providerError } : {}), cause: error })
}

/** The calendar operations of a provider, without free/busy, which not every provider has. */
export function calendarOperations<S extends DavSession>(traits: CalDavTraits<S>) {
  const shown = ({ grant }: DavSession, home: Home, found: DavResponse, url = found.href): Calendar =>
    fromCollection(found, {
      url,
      id: collectionId(home.url, url),
      grant,
      principal: home.principal,
      isPrimary: isPrimary(home, traits, url),
    })

  const read = async (session: S, url: string): Promise<Calendar> => {
    const [home, found] = await Promise.all([homeOf(session), readCollection(session, url)])
    return shown(session, home, found, url)
  }

  /** Reads a new calendar. A server may store it at another address; then it is the new collection with this name. */
  async function readMade(session: S, url: string, { name, before }: { name: string; before: Set<string> }) {
    try {
      return await read(session, url)
    } catch (error) {
      if (!isNotFound(error)) throw error
      const made = (await listCollections(session, traits)).find(
        ({ href, props }) => !before.has(href) && props.text('D:displayname') === name.trim(),
      )
      if (!made) throw error
      return shown(session, await homeOf(session), made)
    }
  }

  return {
    async list(session, query, position) {
      const home = await homeOf(session)
      const all: Calendar[] = []
      const othersTurn = yieldBetween()
      for (const found of await listCollections(session, traits)) {
        await othersTurn()
        all.push(shown(session, home, found))
      }
      const from = isPosition(position) ? all.findIndex(({ id }) => id === position) + 1 : 0
      const items = all.slice(from, from + query.limit)
      const last = items.at(-1)
      return last && from + items.length < all.length ? { items, next: last.id } : { items }
    },
    get: async (session, at) => read(session, await calendarUrl(session, traits, at.calendar_id)),
    async create(session, draft, { once } = {}) {
      const { client } = serviceOf(session)
      const home = await homeOf(session)
      const before = new Set((await listCollections(session, traits)).map(({ href }) => href))
      const url = `${collectionAddress(home.url)}${once?.name ?? newId()}/`
      // The name is unique to this request, so an earlier attempt created the collection.
      if (once && before.has(url)) return read(session, url)
      const values = toProps(fieldsOf(draft), seconds(session.io.clock.now()))
      const xml = '<C:comp name="VEVENT"/>'
      try {
        await client.mkcalendar(url, { ...values, 'C:supported-calendar-component-set': { xml } })
      } catch (error) {
        throw asRefusal(error)
      }
      const made = await readMade(session, url, { name: draft.name, before })
      const left = missingFields(fieldsOf(draft), made)
      if (Object.keys(left).length === 0) return made
      // Some servers ignore properties in MKCALENDAR but accept them in a second request.
      const at = await calendarUrl(session, traits, made.id)
      const isSet = await client.proppatch(at, toProps(left, seconds(session.io.clock.now()))).then(
        () => true,
        () => false,
      )
      return reportDropped(session, left, isSet ? await read(session, at) : made)
    },
    async update(session, at, change) {
      const url = await calendarUrl(session, traits, at.calendar_id)
      const values = toProps(change, seconds(session.io.clock.now()))
      if (Object.keys(values).length === 0) return read(session, url)
      await readCollection(session, url)
      try {
        await serviceOf(session).client.proppatch(url, values)
      } catch (error) {
        throw asRefusal(error)
      } finally {
        forgetCalendar(session, url)
      }
      return reportDropped(session, change, await read(session, url))
    },
    async delete(session, at) {
      const home = await homeOf(session)
      const url = await calendarUrl(session, traits, at.calendar_id)
      // The check also applies to providers without a primary calendar, because the default calendar receives
      // invitations.
      if (home.defaultCalendar !== undefined && isSameCollection(home.defaultCalendar, url)) {
        throw invalidField('calendar_id', 'the primary calendar cannot be deleted')
      }
      await readCollection(session, url)
      try {
        await serviceOf(session).client.deleteCollection(url)
      } catch (error) {
        throw asRefusal(error)
      } finally {
        forgetCalendar(session, url)
      }
    },
  } satisfies Operations<S>['calendars']
}

/** The requested fields that the calendar does not have. */
function missingFields({ name, description, timezone, hex_color }: CalendarChange, made: Calendar): CalendarChange {
  return {
    ...(name && made.name !== name.trim() ? { name } : {}),
    ...(description !== undefined && made.description !== (description?.trim() || null) ? { description } : {}),
    ...(timezone && made.timezone !== resolveTimeZone(timezone) ? { timezone } : {}),
    ...(hex_color && made.hex_color !== hex_color.toLowerCase() ? { hex_color } : {}),
  }
}

/** Servers may confirm a property without storing it; a response header lists the dropped fields. */
function reportDropped({ io }: DavSession, wanted: CalendarChange, calendar: Calendar): Calendar {
  for (const name of Object.keys(missingFields(wanted, calendar))) io.setResponseHeader('x-ignored-fields', name)
  return calendar
}

const fieldsOf = ({ name, description, timezone }: CalendarDraft): CalendarChange => ({
  name,
  ...(description ? { description } : {}),
  ...(timezone ? { timezone } : {}),
})
