/**
 * Writes events: creates, changes, moves, deletes and answers them, for one occurrence, all following, or the whole
 * series.
 */
import type { Event, EventChange, EventDraft, Rsvp, WhenInput } from '@waypost/sdk'
import { api } from '../../api.ts'
import type { Account } from './data.ts'
import { eventQuery } from './data.ts'
import { countOf, onOtherDays, partBefore, partFrom, type SeriesCut, takenOutBefore } from './recurrence.ts'
import { copyOf, cutOf, isFirst, type Scope } from './series.ts'
import { shiftBetween, shifted } from './when.ts'

const calls = ({ application }: Account) => api(application).events

/** Fields that the provider does not store, from the response header. */
const ignoredIn = (headers: Headers): string[] =>
  (headers.get('x-ignored-fields') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

export interface WrittenEvent {
  event: Event
  ignored: string[]
}

export async function createEvent(
  account: Account,
  calendar: string,
  body: EventDraft,
  notify: boolean,
): Promise<WrittenEvent> {
  const query = { calendar_id: calendar, notify_participants: notify }
  const { data, headers } = await calls(account).create({ grant_id: account.grant.id, query, body })
  return { event: data, ignored: ignoredIn(headers) }
}

async function update(
  account: Account,
  { id, calendar_id }: Pick<Event, 'id' | 'calendar_id'>,
  body: EventChange,
  notify: boolean,
): Promise<WrittenEvent> {
  const query = { calendar_id, notify_participants: notify }
  const { data, headers } = await calls(account).update({ grant_id: account.grant.id, event_id: id, query, body })
  return { event: data, ignored: ignoredIn(headers) }
}

async function remove(account: Account, id: string, calendar_id: string, notify: boolean): Promise<void> {
  const query = { calendar_id, notify_participants: notify }
  await calls(account).delete({ grant_id: account.grant.id, event_id: id, query })
}

/** The series of an event. */
export const readMaster = (account: Account, { master_event_id, calendar_id }: Event): Promise<Event> =>
  eventQuery(account, { id: master_event_id ?? '', calendar: calendar_id }).queryFn({})

const yearSeconds = 366 * 86_400
/** Occurrences are counted over at most this many years. */
const maxYears = 30

/** Number of occurrences before a cut, including excluded dates. */
async function occurrencesBefore(account: Account, master: Event, cut: SeriesCut): Promise<number> {
  const first = cutOf({ ...master, id: '' })
  // One extra day at both ends, because all-day events start at midnight of any time zone.
  const from = ('date' in first ? Date.parse(first.date) / 1000 : first.seconds) - 86_400
  const to = ('date' in cut ? Date.parse(cut.date) / 1000 : cut.seconds) + 86_400
  const found = new Set<string>()
  for (let start = from; start < to && start < from + maxYears * yearSeconds; start += yearSeconds) {
    const query = {
      calendar_id: master.calendar_id,
      master_event_id: master.id,
      expand_recurring: true,
      limit: 200,
      start,
      end: Math.min(to, start + yearSeconds),
    }
    for await (const event of calls(account).list.all({ grant_id: account.grant.id, query })) {
      if (isBefore(cutOf(event), cut)) found.add(event.id)
    }
  }
  return found.size + takenOutBefore(master.recurrence ?? [], cut)
}

function isBefore(one: SeriesCut, cut: SeriesCut): boolean {
  if ('date' in one) return 'date' in cut && one.date < cut.date
  return 'seconds' in cut && one.seconds < cut.seconds
}

/** The changed fields, and the time zone of their times. */
export interface Change {
  body: EventChange
  notify: boolean
  zone: string
}

/**
 * Splits a series at an occurrence. The new series is created first, so that nothing is lost if the provider refuses
 * it.
 */
async function split(
  account: Account,
  { master, event, body, notify, zone }: Change & { master: Event; event: Event },
): Promise<WrittenEvent> {
  const cut = cutOf(event)
  const days = (body.when && shiftBetween(event.when, body.when, zone)?.days) ?? 0
  const recurrence = master.recurrence ?? []
  const before = countOf(recurrence) === undefined ? 0 : await occurrencesBefore(account, master, cut)
  const rest = onOtherDays(partFrom(recurrence, cut, before), days)
  const when = body.when ?? whenInputOf(event)
  const draft = { ...copyOf(master), ...body, when, recurrence: body.recurrence ?? rest }
  const made = await createEvent(account, master.calendar_id, draft, notify)
  try {
    await update(account, master, { recurrence: partBefore(recurrence, cut) }, notify)
  } catch (error) {
    await remove(account, made.event.id, master.calendar_id, false)
    throw error
  }
  return made
}

/** The time of an event as request input. */
export function whenInputOf({ when }: Event): WhenInput {
  const entries = Object.entries(when).filter(([name, value]) => name !== 'object' && value !== null)
  return Object.fromEntries(entries) as WhenInput
}

/** The weekdays of a weekly rule move together with the series. */
function withDays(master: Event, { body, zone }: Change): EventChange {
  if (!body.when || body.recurrence || !master.recurrence) return body
  const days = shiftBetween(master.when, body.when, zone)?.days ?? 0
  const recurrence = onOtherDays(master.recurrence, days)
  return recurrence.join() === master.recurrence.join() ? body : { ...body, recurrence }
}

/** Applies a change from the form. With `all`, the form showed the values of the series itself. */
export async function changeEvent(account: Account, event: Event, scope: Scope, change: Change): Promise<WrittenEvent> {
  const { notify } = change
  if (scope === 'one' || !event.master_event_id) return update(account, event, withDays(event, change), notify)
  const master = await readMaster(account, event)
  if (scope === 'all' || isFirst(event, master)) return update(account, master, withDays(master, change), notify)
  return split(account, { ...change, master, event })
}

/** Applies a move or resize from the grid. With a larger scope, the other occurrences change by the same amount. */
export async function moveEvent(
  account: Account,
  event: Event,
  scope: Scope,
  { when, notify, zone }: { when: WhenInput; notify: boolean; zone: string },
): Promise<WrittenEvent> {
  const change = { body: { when }, notify, zone }
  if (scope === 'one' || !event.master_event_id) return changeEvent(account, event, 'one', change)
  const master = await readMaster(account, event)
  const shift = shiftBetween(event.when, when, zone)
  if (shift === undefined) {
    throw new Error('You cannot make a series all-day by moving it. Open it and edit it instead.')
  }
  if (scope === 'following' && !isFirst(event, master)) return split(account, { ...change, master, event })
  const all = { ...change, body: { when: shifted(master.when, shift, zone) } }
  return update(account, master, withDays(master, all), notify)
}

export async function deleteEvent(account: Account, event: Event, scope: Scope, notify: boolean): Promise<void> {
  const { id, calendar_id, master_event_id } = event
  if (scope === 'one' || !master_event_id) return remove(account, id, calendar_id, notify)
  if (scope === 'all') return remove(account, master_event_id, calendar_id, notify)
  const master = await readMaster(account, event)
  if (isFirst(event, master)) return remove(account, master.id, calendar_id, notify)
  await update(account, master, { recurrence: partBefore(master.recurrence ?? [], cutOf(event)) }, notify)
}

/** Responds to an invitation and reports whether the organizer was notified. */
export async function answerInvitation(account: Account, event: Event, body: Rsvp, scope: Scope): Promise<string> {
  const event_id = scope === 'all' ? (event.master_event_id ?? event.id) : event.id
  const query = { calendar_id: event.calendar_id }
  const { data } = await calls(account).rsvp({ grant_id: account.grant.id, event_id, query, body })
  return data.send_ics_error?.message ?? data.mail ?? 'Response saved'
}
