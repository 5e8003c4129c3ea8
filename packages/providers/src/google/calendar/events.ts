import type { Event } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { sleep } from '@waypost/platform/clock'
import { newId } from '@waypost/platform/ids'
import type { EventAddress, Notify, Operations } from '../../operations.ts'
import { ifNotFound, notFound } from '../../shared/named-objects.ts'
import { providerReason, providerStatus } from '../../shared/refusal.ts'
import type { Session } from '../session.ts'
import {
  calendarIdOf,
  calendarPath,
  eventFields,
  eventPath,
  type GoogleAttendee,
  type GoogleEvent,
  googleCalendars,
  googleEvent,
  googleEvents,
  isPrimary,
} from './calendar-api.ts'
import { importEvents, listEvents } from './event-lists.ts'
import { isPending } from './mapping/conference.ts'
import { fromEvent, isCancelled } from './mapping/event.ts'
import { fromChange, fromDraft, needsBefore } from './mapping/event-draft.ts'
import { isSeries, movesSeries } from './mapping/series-move.ts'
import { finishMove, moveSeries } from './series-moves.ts'

const readEvent = (session: Session, calendarId: string, id: string): Promise<GoogleEvent> =>
  session.call('calendar', 'GET', eventPath(session, calendarId, id), {
    query: { fields: eventFields },
    read: googleEvent,
  })

/**
 * The calendar that contains an event: the named one, or the first in which it is found, starting with the primary
 * one.
 */
async function holderOf(session: Session, at: EventAddress): Promise<string> {
  if (at.calendar_id !== undefined) return at.calendar_id
  const query = { fields: 'id' }
  const isThere = await session
    .execute('calendar', 'GET', eventPath(session, 'primary', at.event_id), { query })
    .then(() => true, ifNotFound(false))
  if (isThere) return 'primary'
  const list = await session.call('calendar', 'GET', 'users/me/calendarList', {
    read: googleCalendars,
    query: { maxResults: 250, fields: 'items(id,primary)' },
  })
  const others = (list.items ?? []).filter(({ primary }) => !primary)
  const calls = others.map(({ id }) => ({ path: eventPath(session, id, at.event_id), query }))
  const found = await session.batch('calendar', calls, googleEvent)
  const place = found.findIndex((one) => !(one instanceof ApiError))
  const calendar = others[place]
  if (!calendar) throw notFound('event')
  return calendar.id
}

/** The access role of the account in a calendar, and the zone of the calendar. The account owns the primary one. */
async function roleOf(session: Session, calendarId: string): Promise<{ accessRole?: string; timeZone?: string }> {
  if (isPrimary(session, calendarId)) return { accessRole: 'owner' }
  const query = { maxResults: 1, fields: 'accessRole,timeZone' }
  return session.call('calendar', 'GET', `${calendarPath(session, calendarId)}/events`, { query, read: googleEvents })
}

const shown = (session: Session, calendarId: string, event: GoogleEvent, role: object = {}): Event =>
  fromEvent(event, { grantId: session.grant.id, calendarId: calendarIdOf(session, calendarId), ...role })

const writing = ({ notify_participants: notify }: Notify) => ({
  sendUpdates: notify === false ? 'none' : 'all',
  conferenceDataVersion: 1,
  fields: eventFields,
})

/** The field that Google's refusal is about, by its text: the Calendar API does not name the field. */
const fieldsOfWords: readonly (readonly [RegExp, string])[] = [
  [/attendee|guest/i, 'participants'],
  [/recurrence/i, 'recurrence'],
  [/time zone|time range|start time|end time|timeRangeEmpty/i, 'when'],
  [/reminder/i, 'reminders'],
  [/conference/i, 'conferencing'],
  [/colou?r/i, 'color_id'],
  [/visibility/i, 'visibility'],
  [/description/i, 'description'],
  [/location/i, 'location'],
  [/extended propert/i, 'capacity'],
]

/** Maps Google's refusal of a value to the field. */
function asWrongField(error: ApiError): ApiError {
  const { providerError } = error.details
  const said = `${providerError?.message ?? ''} ${providerError?.reason ?? ''}`
  const field = fieldsOfWords.find(([words]) => words.test(said))?.[1]
  if (field === undefined || providerError === undefined) return error
  const refusal = invalidField(field, `Google refuses it: ${providerError.message}`)
  return new ApiError(refusal.code, refusal.message, { ...refusal.details, providerError, cause: error })
}

/** Maps Google's refusal of a change that only the organizer, or a user with write access, can make. */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'provider_refused') return error
  if (providerStatus(error) === 400) return asWrongField(error)
  if (providerStatus(error) !== 403) return error
  const { providerError } = error.details
  const others = providerReason(error) === 'forbiddenForNonOrganizer'
  const problem = others
    ? 'only the organizer can change this event; answer it with send-rsvp'
    : 'the event is read-only: the account may not write to this calendar'
  return new ApiError('invalid_request', problem, { ...(providerError ? { providerError } : {}), cause: error })
}

async function write<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asRefusal(error)
  }
}

/** Pauses between polls for a conference that Google creates. */
const conferencePausesMs = [500, 1000, 2000]

/** The event with its conference, as soon as Google has created it. */
async function withConference(session: Session, calendarId: string, event: GoogleEvent): Promise<GoogleEvent> {
  let latest = event
  for (const pause of conferencePausesMs) {
    if (!isPending(latest)) return latest
    await sleep(pause, session.io.signal)
    session.io.signal.throwIfAborted()
    latest = await readEvent(session, calendarId, event.id)
  }
  return latest
}

export const events: Operations<Session>['events'] = {
  list: listEvents,
  import: importEvents,
  async get(session, at) {
    const calendarId = await holderOf(session, at)
    const [event, role] = await Promise.all([readEvent(session, calendarId, at.event_id), roleOf(session, calendarId)])
    // Google retains deleted events for a while; lists return them with `show_cancelled`.
    if (isCancelled(event)) throw notFound('event')
    return shown(session, calendarId, event, role)
  },
  async create(session, at, draft) {
    const { once } = at
    const fields = fromDraft(draft, { owner: session.grant.email, requestId: once?.name ?? newId() })
    // Hexadecimal digits are valid in ids of Google (base32hex, RFC 4648).
    const body = once ? { ...fields, id: once.name } : fields
    const path = `${calendarPath(session, at.calendar_id)}/events`
    const options = { query: writing(at), body, read: googleEvent }
    const made = await write(() => session.call('calendar', 'POST', path, options)).catch((error) => {
      // Only an earlier attempt can have created an event with this id.
      if (once && providerStatus(error) === 409) return readEvent(session, at.calendar_id, once.name)
      throw error
    })
    return shown(session, at.calendar_id, await withConference(session, at.calendar_id, made))
  },
  async update(session, at, change) {
    const calendarId = await holderOf(session, at)
    const before = needsBefore(change) ? await readEvent(session, calendarId, at.event_id) : undefined
    if (before && isCancelled(before)) throw notFound('event')
    const body = fromChange(change, { owner: session.grant.email, requestId: newId(), before })
    // An occurrence also contains the journal of its series; only the series may finish the move.
    const series = before && isSeries(before) ? { calendarId, master: before, query: writing(at) } : undefined
    if (series) await finishMove(session, series)
    const options = { query: writing(at), body, read: googleEvent }
    const path = eventPath(session, calendarId, at.event_id)
    const changed = await write(() =>
      series && movesSeries(change, series.master)
        ? moveSeries(session, series, change, body)
        : session.call('calendar', 'PATCH', path, options),
    )
    if (isCancelled(changed)) throw notFound('event')
    return shown(session, calendarId, await withConference(session, calendarId, changed))
  },
  async delete(session, at) {
    const calendarId = await holderOf(session, at)
    const { sendUpdates } = writing(at)
    const path = eventPath(session, calendarId, at.event_id)
    await write(() => session.execute('calendar', 'DELETE', path, { query: { sendUpdates } }))
  },
  async rsvp(session, at, answer) {
    const calendarId = await holderOf(session, at)
    const event = await readEvent(session, calendarId, at.event_id)
    if (isCancelled(event)) throw notFound('event')
    const attendees = answeredBy(session, calendarId, event, answer)
    const query = { sendUpdates: at.skip_email ? 'none' : 'all', fields: 'id' }
    const path = eventPath(session, calendarId, at.event_id)
    await write(() => session.execute('calendar', 'PATCH', path, { query, body: { attendees } }))
    return {}
  },
}

const responses = { yes: 'accepted', no: 'declined', maybe: 'tentative' } as const

/** The guests with the account's own answer. The organizer may not be among the guests. */
function answeredBy(
  session: Session,
  calendarId: string,
  { attendees = [], organizer }: GoogleEvent,
  answer: { status: keyof typeof responses; comment?: string | null | undefined },
): GoogleAttendee[] {
  const given = { responseStatus: responses[answer.status], ...(answer.comment ? { comment: answer.comment } : {}) }
  const own = isPrimary(session, calendarId)
  const address = session.grant.email.toLowerCase()
  const isOwn = ({ self, email }: GoogleAttendee): boolean => (own && self) || email?.toLowerCase() === address
  if (attendees.some(isOwn)) return attendees.map((guest) => (isOwn(guest) ? { ...guest, ...given } : guest))
  if (own && organizer?.self) return [...attendees, { email: session.grant.email, ...given }]
  throw new ApiError('invalid_request', 'this account is not invited to the event: it has nothing to answer')
}
