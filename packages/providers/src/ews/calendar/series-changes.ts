/**
 * Changes of series. Exchange then forgets which occurrences were changed or deleted. They are read first, and those
 * to be written again are stored in a property of the series, together with the change. The property is removed when
 * all are written. The next change of the series, such as the repeated request, finishes an interrupted one.
 */
import { type ApiError, invalidField } from '@waypost/platform/api-error'
import type { ExchangeEvent, NamedProperty } from '../../calendar/exchange/event-model.ts'
import { journalPropertyId } from '../../calendar/exchange/event-model.ts'
import { halfChanged, refusedOccurrences } from '../../calendar/exchange/refusals.ts'
import type { ChangedTimes } from '../../calendar/exchange/series-change.ts'
import {
  maxOccurrences,
  planRewrite,
  type RewrittenOccurrence,
  readJournal,
  type SeriesJournal,
  writeJournal,
} from '../../calendar/exchange/series-rewrite.ts'
import { isRetryable } from '../../shared/retryable.ts'
import { EwsError, isMissing } from '../errors.ts'
import { ourId } from '../ids.ts'
import { GetItem, type MeetingMails, UpdateItem } from '../operations/items.ts'
import type { Session } from '../session.ts'
import { deleteField } from '../types/changes.ts'
import { item as itemNamed } from '../types/ids.ts'
import { property, propertyText } from '../types/paths.ts'
import { eventShape, journalProperty, journalShape } from './calendar-api.ts'
import { deleteOccurrences, type FoundOccurrence, occurrencesAt } from './deleted-occurrences.ts'
import { type NamedItem, orAbsent } from './event-reader.ts'
import { exchangeEvent } from './mapping/event.ts'
import { itemUpdates } from './mapping/event-fields.ts'
import { withZones } from './server-zones.ts'

/** The changed occurrences of a series. */
async function readExceptions(session: Session, series: NamedItem): Promise<ExchangeEvent[]> {
  const { ModifiedOccurrences: modified = [], ItemId } = series.item
  if (modified.length > maxOccurrences) {
    throw invalidField(
      'recurrence',
      `this series has more than ${maxOccurrences} changed occurrences: too many to keep`,
    )
  }
  if (modified.length === 0) return []
  const answers = await session.inBatches(GetItem, modified, (batch, server) => ({
    ItemShape: eventShape(server),
    ItemIds: batch.map((one) => itemNamed(one.ItemId.Id)),
  }))
  const place = { grant: session.grant, masterId: ourId(ItemId?.Id ?? '') }
  return answers.flatMap((answer, index) => {
    const item = orAbsent(answer)
    const OriginalStart = item?.OriginalStart ?? modified[index]?.OriginalStart
    return item
      ? [exchangeEvent({ ...item, CalendarItemType: 'Exception', ...(OriginalStart ? { OriginalStart } : {}) }, place)]
      : []
  })
}

export interface StoredOccurrences {
  /** Absent if nothing has to be written again. */
  journal?: SeriesJournal
  /** The property with the journal; absent also if it is too large. */
  property?: NamedProperty | undefined
  dropped: readonly string[]
}

/** The occurrences to write again after a change of a series. */
export async function storedOccurrences(
  session: Session,
  found: NamedItem,
  { before, times: { reset, exdates } }: { before: ExchangeEvent; times: ChangedTimes },
): Promise<StoredOccurrences> {
  if (!reset) return { dropped: [] }
  const { occurrences, dropped } = planRewrite(before, await readExceptions(session, found), reset)
  if (exdates.length + occurrences.length === 0) return { dropped }
  const journal = { isAllDay: reset.edited.series.start.kind === 'all-day', exdates, occurrences }
  const written = writeJournal(journal)
  if (!written) {
    const grant = { grant_id: session.grant.id, occurrences: occurrences.length }
    session.io.log.warn(grant, 'a series is changed with more occurrences than could be kept for after a crash')
  }
  return { journal, property: written, dropped }
}

/** The remaining steps of an interrupted change. */
export async function pendingJournal(session: Session, { item }: NamedItem): Promise<SeriesJournal | undefined> {
  const id = item.ItemId?.Id ?? ''
  const [answer] = await session.each(GetItem, { ItemShape: journalShape, ItemIds: [itemNamed(id)] })
  const value = propertyText(orAbsent(answer)?.ExtendedProperty, journalProperty)
  return value ? readJournal({ id, singleValueExtendedProperties: [{ id: journalPropertyId, value }] }) : undefined
}

interface Finishing {
  journal: SeriesJournal
  mails: MeetingMails
}

/** Executes the remaining steps and removes them from the series. A step that may succeed later stays there. */
export async function finishSeries(session: Session, series: NamedItem, { journal, mails }: Finishing): Promise<void> {
  await deleteOccurrences(session, series, journal.exdates, mails)
  const failed = await writeOccurrences(session, series, { journal, mails })
  const passing = failed.find(({ error }) => isRetryable(error))
  if (passing) throw halfChanged(passing.error)
  await session.call(UpdateItem, {
    ConflictResolution: 'AlwaysOverwrite',
    SendMeetingInvitationsOrCancellations: 'SendToNone',
    ItemChanges: [{ Id: itemNamed(series.item.ItemId?.Id ?? ''), Updates: [deleteField(property(journalProperty))] }],
  })
  const [first] = failed
  if (first)
    throw refusedOccurrences(
      first.error,
      failed.map(({ id }) => id),
    )
}

interface Failed {
  id: string
  error: ApiError
}

async function writeOccurrences(session: Session, series: NamedItem, { journal, mails }: Finishing): Promise<Failed[]> {
  const { occurrences } = journal
  const keys = occurrences.map(({ key }) => key)
  const found = new Map((await occurrencesAt(session, series, keys)).map((one) => [one.key, one]))
  const wanted = occurrences.flatMap((rewritten) => {
    const place = found.get(rewritten.key)
    // A changed occurrence was written before the interruption, or by another client since.
    return place && !place.isChanged ? [{ place, rewritten }] : []
  })
  const write = (some: readonly RewrittenPlace[]) => writeSome(session, series, { wanted: some, mails })
  // Concurrent changes of one series may conflict. These are repeated one after the other, the last one first.
  const failed = await write(wanted)
  const again: Failed[] = []
  for (const { one } of failed.toReversed()) again.push(...(await write([one])).map(failedOf))
  return again.toReversed()
}

interface RewrittenPlace {
  place: FoundOccurrence
  rewritten: RewrittenOccurrence
}

const failedOf = ({ one, error }: { one: RewrittenPlace; error: ApiError }): Failed => ({
  id: 'Id' in one.place.id ? ourId(one.place.id.Id) : `${one.place.key}`,
  error,
})

async function writeSome(
  session: Session,
  { item }: NamedItem,
  { wanted, mails }: { wanted: readonly RewrittenPlace[]; mails: MeetingMails },
): Promise<{ one: RewrittenPlace; error: ApiError }[]> {
  if (wanted.length === 0) return []
  const { attendees = [] } = exchangeEvent(item, session)
  const timed = wanted.find(({ rewritten }) => rewritten.fields.start)?.rewritten.fields ?? {}
  const answers = await withZones(session, timed, (zoneFor) =>
    session.inBatches(UpdateItem, wanted, (batch) => ({
      ConflictResolution: 'AlwaysOverwrite' as const,
      SendMeetingInvitationsOrCancellations: mails,
      ItemChanges: batch.map(({ place, rewritten }) => ({
        Id: place.id,
        Updates: itemUpdates(rewritten.fields, zoneFor, attendees),
      })),
    })),
  )
  return answers.flatMap((answer, index) => {
    const one = wanted[index]
    return one && answer instanceof EwsError && !isMissing(answer) ? [{ one, error: answer }] : []
  })
}
