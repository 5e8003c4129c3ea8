/** The texts of mails about events: a subject, a plain text and the same as HTML. Pure. */
import type { Event, When } from '@waypost/contract'
import type { Person } from '../icalendar/calendar-users.ts'
import { cleanText, oneLine, zoneOf } from '../icalendar/icalendar.ts'
import { conferenceRows, isWebAddress, plainText, type Row, recurrenceOf } from '../icalendar/vevent.ts'

export interface Wording {
  readonly prefix: string
  readonly lead: string
  /** Omits details that only guests should see: description, location and how to join. */
  readonly brief: boolean
}

/** The subject prefix and first sentence of each kind of mail. */
export const wordings = {
  invited: { prefix: 'Invitation', lead: 'You are invited to this event.', brief: false },
  changed: { prefix: 'Updated invitation', lead: 'This event has changed.', brief: false },
  cancelled: { prefix: 'Cancelled', lead: 'This event has been cancelled.', brief: true },
  moved: { prefix: 'Moved', lead: 'This event has moved. Its new time is told in a mail of its own.', brief: true },
  withdrawn: { prefix: 'Invitation withdrawn', lead: 'Your invitation to this event has been withdrawn.', brief: true },
} as const satisfies Record<string, Wording>

export const answerWords = {
  yes: ['Accepted', 'accepted'],
  no: ['Declined', 'declined'],
  maybe: ['Tentative', 'tentatively accepted'],
} as const

/** Maximum number of occurrences that one mail lists. */
const maxTimes = 20

export interface MailText {
  readonly subject: string
  readonly text: string
  readonly html: string
}

interface Words extends Wording {
  readonly organizer: Person
  readonly comment?: string
}

/** Subject and text of a mail about one event, or about several occurrences of a series. */
export function textOf(events: readonly [Event, ...Event[]], words: Words): MailText {
  const { prefix, lead, brief, organizer, comment = '' } = words
  const [event] = events
  const title = oneLine(event.title ?? '') || '(no title)'
  const details: Row[] = brief ? [] : [['Where', oneLine(event.location ?? '')], ...conferenceRows(event.conferencing)]
  const times = events.slice(0, maxTimes).map(({ when }) => ['When', whenText(when)])
  const rows = [...times, ['Repeats', repeatsText(event)], ...details, organizerRow(organizer)]
    .map(([label = '', value = '']): Row => [label, value])
    .filter(([, value]) => value !== '')
  const body = brief ? cleanText(comment) : plainText(event.description ?? '')
  return {
    subject: `${prefix}: ${title}`,
    text: [lead, '', title, ...rows.map(([label, value]) => `${label}: ${value}`), '', body].join('\n').trimEnd(),
    html: htmlOf({ lead, title, rows, body }),
  }
}

const organizerRow = ({ name, email }: Person): Row => ['Organizer', oneLine(name ?? '') || oneLine(email)]

function htmlOf({
  lead,
  title,
  rows,
  body,
}: {
  lead: string
  title: string
  rows: readonly Row[]
  body: string
}): string {
  const cells = rows.map(([label, value]) => {
    const shown = isWebAddress(value) ? `<a href="${escapeHtml(value)}">${escapeHtml(value)}</a>` : escapeHtml(value)
    return `<tr><th align="left">${label}</th><td>${shown}</td></tr>`
  })
  const below = body === '' ? '' : `<p>${escapeHtml(body).replaceAll('\n', '<br>')}</p>`
  return `<!doctype html><html><body><p>${escapeHtml(lead)}</p><h2>${escapeHtml(title)}</h2><table>${cells.join('')}</table>${below}</body></html>`
}

export const escapeHtml = (value: string): string => value.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`)

function whenText(when: When): string {
  if (when.object === 'date' || when.object === 'datespan') {
    const [first, last] = when.object === 'date' ? [when.date, when.date] : [when.start_date, when.end_date]
    const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' })
    return oneLine(days.formatRange(new Date(`${first}T00:00Z`), new Date(`${last}T00:00Z`)))
  }
  if (when.object === 'time') return `${clockOf(when.timezone).format(when.time * 1000)} (${zoneOf(when.timezone)})`
  const [start, end] = [when.start_time * 1000, when.end_time * 1000]
  const [zone, endZone] = [when.start_timezone, when.end_timezone ?? when.start_timezone]
  if (zone === endZone) return oneLine(`${clockOf(zone).formatRange(start, end)} (${zoneOf(zone)})`)
  const [from, to] = [clockOf(zone).format(start), clockOf(endZone).format(end)]
  return oneLine(`${from} (${zoneOf(zone)}) – ${to} (${zoneOf(endZone)})`)
}

const clockOf = (timezone: string | null): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: zoneOf(timezone) })

const PERIODS: Readonly<Record<string, string>> = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' }

function repeatsText(event: Event): string {
  const rule = recurrenceOf(event).find(({ name }) => name === 'RRULE')?.value ?? ''
  const period = PERIODS[/FREQ=(\w+)/.exec(rule)?.[1] ?? '']
  const interval = Number(/INTERVAL=(\d+)/.exec(rule)?.[1] ?? 1)
  if (period === undefined) return ''
  return interval === 1 ? `every ${period}` : `every ${interval} ${period}s`
}
