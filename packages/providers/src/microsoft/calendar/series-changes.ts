/**
 * Changes the times or the rule of a series. Exchange then forgets which occurrences were changed or deleted. They
 * are read first, and those to be written again are stored in a property of the series, together with the change. The
 * property is cleared when all are written. The next change of the series, such as the repeated request, finishes an
 * interrupted one.
 */
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { flag, list, object } from '@waypost/platform/json/reader'
import { reportDropped } from '../../calendar/dropped-occurrences.ts'
import { type ExchangeFields, journalPropertyId } from '../../calendar/exchange/event-model.ts'
import { halfChanged, refusedOccurrences } from '../../calendar/exchange/refusals.ts'
import type { SeriesReset } from '../../calendar/exchange/series-change.ts'
import {
  clearedJournal,
  maxOccurrences,
  planRewrite,
  readJournal,
  type SeriesJournal,
  withJournal,
  writeJournal,
} from '../../calendar/exchange/series-rewrite.ts'
import { isRetryable } from '../../shared/retryable.ts'
import type { Session } from '../session.ts'
import { eventFields, eventPath, type GraphEvent, graphEvent, withOwnProperty } from './calendar-api.ts'
import { graphTimes } from './graph-times.ts'
import { deleteOccurrences, findOccurrences, type SeriesAddress, writeOccurrences } from './occurrences.ts'

/** Every exception must be readable, because one that is not could not be written again. */
const exceptionIds = object({}, { exceptionOccurrences: list(graphEvent), hasAttachments: flag })

interface Exceptions {
  events: GraphEvent[]
  /** Whether the series itself has attachments, which all occurrences show. */
  hasAttachments: boolean
}

/** The changed occurrences of a series. */
async function readExceptions(session: Session, { calendarId, id }: SeriesAddress): Promise<Exceptions> {
  const path = eventPath(session, calendarId, id)
  const { exceptionOccurrences: found = [], hasAttachments = false } = await session.call('GET', path, {
    query: { $select: 'id,hasAttachments,exceptionOccurrences', $expand: 'exceptionOccurrences' },
    read: exceptionIds,
  })
  if (found.length > maxOccurrences) {
    throw invalidField(
      'recurrence',
      `this series has more than ${maxOccurrences} changed occurrences: too many to keep`,
    )
  }
  const query = { $select: `${eventFields},hasAttachments`, $expand: withOwnProperty }
  const calls = found.map((one) => ({ path: eventPath(session, calendarId, one.id), query }))
  const read = await session.batch(calls, graphEvent)
  const events = read.map((event) => {
    if (event instanceof ApiError) throw event
    return event
  })
  return { events, hasAttachments }
}

/** Executes the remaining steps and removes them from the series. A step that may succeed later stays there. */
async function finish(session: Session, at: SeriesAddress, journal: SeriesJournal): Promise<void> {
  const { exdates, occurrences } = journal
  await deleteOccurrences(session, at, exdates)
  const found = await findOccurrences(
    session,
    at,
    occurrences.map(({ key }) => key),
  )
  const calls = occurrences.flatMap(({ fields }, place) => {
    const one = found[place]
    // A changed occurrence was written before the interruption, or by another client since.
    if (!one || one.type === 'exception') return []
    return [
      {
        id: one.id,
        method: 'PATCH' as const,
        path: eventPath(session, at.calendarId, one.id),
        body: graphTimes(fields),
      },
    ]
  })
  const failed = await writeOccurrences(session, calls)
  const passing = failed.find(({ error }) => isRetryable(error))
  if (passing) throw halfChanged(passing.error)
  const body = { singleValueExtendedProperties: [clearedJournal] }
  await session.execute('PATCH', eventPath(session, at.calendarId, at.id), { body })
  const [first] = failed
  if (first)
    throw refusedOccurrences(
      first.error,
      failed.map(({ place }) => calls[place]?.id ?? ''),
    )
}

const withJournalProperty = {
  $select: 'id',
  $expand: `singleValueExtendedProperties($filter=id eq '${journalPropertyId}')`,
}

/** Finishes an interrupted change; returns whether there was one. */
export async function finishSeries(session: Session, at: SeriesAddress): Promise<boolean> {
  const path = eventPath(session, at.calendarId, at.id)
  const event = await session.call('GET', path, { query: withJournalProperty, read: graphEvent })
  const journal = readJournal(event)
  if (journal) await finish(session, { ...at, isAllDay: journal.isAllDay }, journal)
  return journal !== undefined
}

/** Changes a series whose times or rule change; `fields` contains everything to write. */
export async function changeSeries(
  session: Session,
  at: SeriesAddress & { before: GraphEvent },
  { fields, exdates, reset }: { fields: ExchangeFields; exdates: readonly number[]; reset: SeriesReset },
): Promise<GraphEvent> {
  const { events, hasAttachments } = await readExceptions(session, at)
  const plan = planRewrite({ ...at.before, hasAttachments }, events, reset)
  const isAllDay = reset.edited.series.start.kind === 'all-day'
  const journal = { isAllDay, exdates, occurrences: plan.occurrences }
  const isWhole = exdates.length + plan.occurrences.length === 0
  const retained = isWhole ? undefined : writeJournal(journal)
  if (!isWhole && !retained) {
    const grant = { grant_id: session.grant.id, occurrences: plan.occurrences.length }
    session.io.log.warn(grant, 'a series is changed with more occurrences than could be kept for after a crash')
  }
  const changed = await session.call('PATCH', eventPath(session, at.calendarId, at.id), {
    body: withJournal(fields, retained),
    read: graphEvent,
  })
  if (!isWhole) await finish(session, { ...at, isAllDay }, journal)
  reportDropped(session, plan.dropped)
  return changed
}
