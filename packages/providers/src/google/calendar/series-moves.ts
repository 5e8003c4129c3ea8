/**
 * Changes the times or the rule of a series, together with its exceptions. First the series is written, with its
 * deleted occurrences as EXDATE and with the remaining steps in private properties. Then the changed occurrences are
 * written to their new starts. Then the properties are removed. The next change of the series, such as the repeated
 * request, finishes an interrupted move.
 */

import type { EventChange } from '@waypost/contract'
import { slotKey } from '@waypost/formats/recurrence/instance-ids'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { list, object, text } from '@waypost/platform/json/reader'
import { reportDropped } from '../../calendar/dropped-occurrences.ts'
import { pagesOf } from '../../shared/paging.ts'
import { isRetryable } from '../../shared/retryable.ts'
import type { Query, Session } from '../session.ts'
import { calendarPath, eventFields, eventPath, type GoogleEvent, googleEvent } from './calendar-api.ts'
import type { GoogleFields } from './mapping/event-draft.ts'
import { clearedJournal, type MovedOccurrence, readJournal, writeJournal } from './mapping/move-journal.ts'
import { planMove } from './mapping/series-move.ts'
import { timeText } from './mapping/when.ts'

/** Every exception must be readable, because one that is not could not be moved. */
const wholeEvents = object({}, { items: list(googleEvent), nextPageToken: text })
const bytesOfPage = 32 * 1024 * 1024
const maxPages = 20
/** Each takes one call. */
const maxOccurrences = 250

export interface SeriesAddress {
  calendarId: string
  master: GoogleEvent
  /** How guests are notified. */
  query: Query
}

/** The changed and deleted occurrences that Google assigns to a series. */
async function readExceptions(session: Session, { calendarId, master }: SeriesAddress): Promise<GoogleEvent[]> {
  const found: GoogleEvent[] = []
  const answers = pagesOf(maxPages, (pageToken) =>
    session.call('calendar', 'GET', `${calendarPath(session, calendarId)}/events`, {
      query: { iCalUID: master.iCalUID, maxResults: 250, pageToken, fields: 'nextPageToken,items' },
      maxBytes: bytesOfPage,
      read: wholeEvents,
    }),
  )
  for await (const { items = [], nextPageToken } of answers) {
    found.push(...items.filter(({ recurringEventId }) => recurringEventId === master.id))
    if (nextPageToken === undefined) return found
  }
  throw invalidField('when', 'this series has too many changed occurrences to be moved')
}

const originalOf = (slot: string): string => {
  const place = slotKey(slot)
  if (place?.kind === 'timed') return timeText(place.key)
  return `${slot.slice(0, 4)}-${slot.slice(4, 6)}-${slot.slice(6, 8)}`
}

/** The occurrences of the series at these starts, in their order; undefined where there is none. */
async function findInstances(
  session: Session,
  { calendarId, master }: SeriesAddress,
  slots: readonly string[],
): Promise<(GoogleEvent | undefined)[]> {
  const path = `${eventPath(session, calendarId, master.id)}/instances`
  const fields = 'items(id,updated,status)'
  const calls = slots.map((slot) => ({ path, query: { originalStart: originalOf(slot), showDeleted: true, fields } }))
  const answers = await session.batch('calendar', calls, wholeEvents)
  return answers.map((answer) => {
    if (answer instanceof ApiError) throw answer
    return answer.items?.[0]
  })
}

/** Writes changed occurrences at their starts; returns those that Google rejected, with the error. */
async function writeOccurrences(
  session: Session,
  at: SeriesAddress,
  occurrences: readonly MovedOccurrence[],
  isOpen: (instance: GoogleEvent) => boolean = () => true,
): Promise<{ id: string; error: ApiError }[]> {
  const instances = await findInstances(
    session,
    at,
    occurrences.map(({ slot }) => slot),
  )
  const calls = occurrences.flatMap(({ body }, place) => {
    const instance = instances[place]
    if (!instance || !isOpen(instance)) return []
    const query = { ...at.query, supportsAttachments: true, fields: 'id' }
    const path = eventPath(session, at.calendarId, instance.id)
    return [{ id: instance.id, call: { method: 'PATCH' as const, path, query, body } }]
  })
  const answers = await session.batch(
    'calendar',
    calls.map(({ call }) => call),
    googleEvent,
  )
  return answers.flatMap((answer, place) => {
    const id = calls[place]?.id
    return answer instanceof ApiError && id !== undefined ? [{ id, error: answer }] : []
  })
}

/** Executes the remaining steps and removes them from the series. A step that may succeed later stays there. */
async function finish(
  session: Session,
  at: SeriesAddress,
  occurrences: readonly MovedOccurrence[],
  isOpen?: (instance: GoogleEvent) => boolean,
): Promise<void> {
  const failed = await writeOccurrences(session, at, occurrences, isOpen)
  const passing = failed.find(({ error }) => isRetryable(error))
  if (passing) {
    const { code, details } = passing.error
    const problem = 'the series was moved, but not yet all of its changed occurrences: send the request again'
    throw new ApiError(code, problem, { ...details, cause: passing.error })
  }
  const cleared = clearedJournal(at.master)
  if (Object.keys(cleared).length > 0) {
    const body = { extendedProperties: { private: cleared } }
    const path = eventPath(session, at.calendarId, at.master.id)
    await session.execute('calendar', 'PATCH', path, { query: { sendUpdates: 'none', fields: 'id' }, body })
  }
  const [first] = failed
  if (!first) return
  const ids = failed.map(({ id }) => id).join(', ')
  const problem = `the series was moved, but Google refused what was changed in ${ids}: ${first.error.message}`
  throw new ApiError('provider_refused', problem, { ...first.error.details, cause: first.error })
}

const timeOf = ({ updated }: GoogleEvent): number => Date.parse(updated ?? '') || 0

/** Finishes an interrupted move. Occurrences that were changed since then stay as they are. */
export async function finishMove(session: Session, at: SeriesAddress): Promise<void> {
  const left = readJournal(at.master)
  if (left) await finish(session, at, left, (instance) => timeOf(instance) <= timeOf(at.master))
}

/** Changes a series whose times or lines change; `body` contains the other fields to write. */
export async function moveSeries(
  session: Session,
  at: SeriesAddress,
  change: EventChange,
  body: GoogleFields,
): Promise<GoogleEvent> {
  const exceptions = await readExceptions(session, at)
  const { recurrence, occurrences, dropped } = planMove(change, { master: at.master, exceptions, body })
  if (occurrences.length > maxOccurrences) {
    const problem = `this series has more than ${maxOccurrences} changed occurrences, which is too many to be moved`
    throw invalidField('when', problem)
  }
  const journal = occurrences.length === 0 ? {} : writeJournal(occurrences)
  if (!journal) {
    const grant = { grant_id: session.grant.id, occurrences: occurrences.length }
    session.io.log.warn(grant, 'a series is moved with more changes than could be kept for after a crash')
  }
  const moved = await session.call('calendar', 'PATCH', eventPath(session, at.calendarId, at.master.id), {
    query: { ...at.query, fields: eventFields },
    body: withProperties({ ...body, ...(recurrence ? { recurrence } : {}) }, journal ?? {}),
    read: googleEvent,
  })
  if (occurrences.length > 0) await finish(session, { ...at, master: moved }, occurrences)
  reportDropped(session, dropped)
  return moved
}

function withProperties(body: GoogleFields, properties: Record<string, string>): GoogleFields {
  if (Object.keys(properties).length === 0) return body
  const { extendedProperties } = body
  const own = typeof extendedProperties === 'object' && extendedProperties !== null ? extendedProperties : {}
  const retained = 'private' in own && typeof own.private === 'object' ? own.private : {}
  return { ...body, extendedProperties: { ...own, private: { ...retained, ...properties } } }
}
