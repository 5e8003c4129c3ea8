/**
 * Changes the lines of one VEVENT when its fields change. Other lines stay as they were read. New lines are inserted
 * after the existing lines, before the alarms.
 */
import type { Conferencing, Event, EventChange, Reminders } from '@waypost/contract'
import { type Reminder, reminderOf } from './alarms.ts'
import { withOrganizer, withParticipants, withResources } from './attendee-changes.ts'
import type { EventFields } from './calendar-object.ts'
import type { Span } from './calendar-times.ts'
import type { Person } from './calendar-users.ts'
import { DETAILS, isConferenceLine } from './conference-lines.ts'
import { addLines, changedLine, lineOf, putLine, putProperty, withoutLines } from './content-line-changes.ts'
import { ComponentNode, ContentLine, type Item, parseComponents, unescapeText } from './content-lines.ts'
import { cleanText, mailto, plain, text, write } from './icalendar.ts'
import { commonName, isWebAddress, plainText } from './vevent.ts'

/** The fields to change. Absent fields stay; null clears a field. */
export type FieldChange = Partial<
  Pick<EventFields, 'title' | 'description' | 'location' | 'when' | 'busy' | 'status' | 'participants' | 'resources'>
> & {
  readonly hide_participants?: boolean
  readonly visibility?: Event['visibility'] | null
  readonly recurrence?: readonly string[] | null
  readonly reminders?: EventChange['reminders']
  readonly conferencing?: Conferencing | null
  readonly capacity?: number | null
}

export interface PatchContext {
  readonly before: EventFields
  readonly span: Span
  /** The zone of floating times. */
  readonly floating: string
  /** The organizer to add if the event has none. */
  readonly organizer: Person
}

const STATUS = { confirmed: 'CONFIRMED', maybe: 'TENTATIVE', cancelled: 'CANCELLED' } as const

/** The items with all changes except time and recurrence. */
export function patchFields(items: readonly Item[], change: FieldChange, context: PatchContext): Item[] {
  let next: Item[] = [...items]
  if (change.title !== undefined) next = putText(next, 'SUMMARY', change.title)
  if (change.description !== undefined) next = putDescription(next, change.description)
  if (change.location !== undefined) next = putText(next, 'LOCATION', change.location)
  if (change.busy !== undefined) next = putBusy(next, change.busy)
  if (change.status !== undefined) next = putProperty(next, plain('STATUS', STATUS[change.status]))
  if (change.visibility !== undefined) next = putVisibility(next, change.visibility)
  if (change.hide_participants !== undefined) {
    next = putOwn(next, 'X-WAYPOST-HIDE-PARTICIPANTS', change.hide_participants ? 'TRUE' : undefined)
  }
  if (change.capacity !== undefined) next = putOwn(next, 'X-WAYPOST-CAPACITY', change.capacity?.toString())
  if (change.participants !== undefined) next = withParticipants(next, change.participants)
  if (change.resources !== undefined) next = withResources(next, change.resources)
  if (change.participants !== undefined || change.resources !== undefined) next = withOrganizer(next, context.organizer)
  if (change.conferencing !== undefined) next = putConference(next, change.conferencing, context.before.conferencing)
  if (change.reminders !== undefined) next = putReminders(next, change, context)
  return next
}

/** Sets a text. Null or an empty text removes the line. A line with the same text stays as it is written. */
function putText(items: readonly Item[], name: string, value: string | null): Item[] {
  if (value === null || value === '') return withoutLines(items, [name])
  return putLine(items, name, (line) => {
    if (line === undefined) return lineOf(text(name, value))
    if (unescapeText(line.value) === cleanText(value)) return line
    return changedLine(line, { value: text(name, value).value, parameters: { ALTREP: undefined } })
  })
}

/** Sets the description. HTML is also written as plain text, with the HTML in X-ALT-DESC, as Outlook does. */
function putDescription(items: readonly Item[], description: string | null): Item[] {
  const bare = plainText(description ?? '')
  const isHtml = description !== null && bare !== '' && bare !== cleanText(description).trim()
  const described = putText(items, 'DESCRIPTION', isHtml ? bare : description)
  const rest = withoutLines(described, ['X-ALT-DESC', 'STYLED-DESCRIPTION'])
  return isHtml ? addLines(rest, [lineOf(text('X-ALT-DESC', description, { FMTTYPE: 'text/html' }))]) : rest
}

function putBusy(items: readonly Item[], busy: boolean): Item[] {
  const next = putProperty(items, plain('TRANSP', busy ? 'OPAQUE' : 'TRANSPARENT'))
  const isFree = (line: ContentLine): boolean => line.value.trim().toUpperCase() === 'FREE'
  // Exchange, which is behind some servers, reads its own property, which has more than two values.
  return next.map((item) =>
    item instanceof ContentLine && item.name === 'X-MICROSOFT-CDO-BUSYSTATUS' && isFree(item) === busy
      ? changedLine(item, { value: busy ? 'BUSY' : 'FREE' })
      : item,
  )
}

const putVisibility = (items: readonly Item[], visibility: Event['visibility'] | null): Item[] => {
  if (visibility === null || visibility === undefined || visibility === 'default') return withoutLines(items, ['CLASS'])
  return putLine(items, 'CLASS', (line) => {
    // CONFIDENTIAL is private too.
    const isSame = line !== undefined && (line.value.trim().toUpperCase() === 'PUBLIC') === (visibility === 'public')
    if (isSame) return line
    return line
      ? changedLine(line, { value: visibility.toUpperCase() })
      : lineOf(plain('CLASS', visibility.toUpperCase()))
  })
}

const putOwn = (items: readonly Item[], name: string, value: string | undefined): Item[] =>
  value === undefined ? withoutLines(items, [name]) : putProperty(items, plain(name, value))

/** Sets how to join. An address in the location or the description is left for the client to remove. */
function putConference(
  items: readonly Item[],
  conferencing: Conferencing | null,
  before: Conferencing | undefined,
): Item[] {
  const old = before?.details?.url
  const rest = items.filter(
    (item) =>
      !(item instanceof ContentLine) ||
      !(isConferenceLine(item) || (item.name === 'URL' && item.value.trim() === old && old !== undefined)),
  )
  const url = cleanText(conferencing?.details?.url ?? '').trim()
  if (!conferencing || !isWebAddress(url)) return rest
  const { provider, details } = conferencing
  const lines = [
    plain('CONFERENCE', url, { VALUE: 'URI', FEATURE: 'VIDEO', LABEL: commonName({ name: provider ?? null }) }),
    ...(details?.phone ?? []).map((number) =>
      plain('CONFERENCE', `tel:${number.replace(/[^\d+*#,;]/g, '')}`, { VALUE: 'URI', FEATURE: 'PHONE' }),
    ),
    text(DETAILS, JSON.stringify({ provider, details: { ...details, url } })),
  ]
  // Many calendars support only URL.
  const link = rest.some((item) => item.name === 'URL') ? [] : [plain('URL', url)]
  return addLines(rest, [...lines, ...link].map(lineOf))
}

/**
 * Alarms that are still requested stay as they are, including acknowledgements. Alarms that are not reminders also
 * stay.
 */
function putReminders(
  items: readonly Item[],
  { reminders, title }: FieldChange,
  { span, floating, before, organizer }: PatchContext,
): Item[] {
  const wanted: Reminder[] = (reminders?.use_default ? [] : (reminders?.overrides ?? [])).map((one) => ({
    reminder_minutes: one.reminder_minutes,
    reminder_method: one.reminder_method ?? 'display',
  }))
  const retained = items.filter((item) => {
    if (!(item instanceof ComponentNode) || item.name !== 'VALARM') return true
    const reminder = reminderOf(item, span, floating)
    if (reminder === undefined) return true
    const at = wanted.findIndex((one) => isSameReminder(one, reminder))
    if (at !== -1) wanted.splice(at, 1)
    return at !== -1
  })
  return [
    ...retained,
    ...wanted.flatMap((one) => parseComponents(alarmText(one, { title: title ?? before.title, to: organizer.email }))),
  ]
}

/** Other providers call `display` `popup`. */
const isSameReminder = (a: Reminder, b: Reminder): boolean =>
  a.reminder_minutes === b.reminder_minutes && methodOf(a) === methodOf(b)

const methodOf = ({ reminder_method: method }: Reminder): Reminders['overrides'][number]['reminder_method'] =>
  method === 'popup' ? 'display' : method

const ACTIONS = { display: 'DISPLAY', popup: 'DISPLAY', sound: 'AUDIO', email: 'EMAIL' } as const

function alarmText(
  { reminder_minutes: minutes, reminder_method: method }: Reminder,
  { title, to }: { title: string | null; to: string },
): string {
  const words = title ?? 'Reminder'
  return write({
    name: 'VALARM',
    properties: [
      plain('ACTION', ACTIONS[method]),
      plain('TRIGGER', `-PT${minutes}M`),
      ...(method === 'sound' ? [] : [text('DESCRIPTION', words)]),
      ...(method === 'email' ? [text('SUMMARY', words), plain('ATTENDEE', mailto(to))] : []),
    ],
  })
}
