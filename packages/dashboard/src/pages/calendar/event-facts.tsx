/** The details of one event, row by row. */
import type { Calendar, Event } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Facts } from '../../components/page.tsx'
import { plainText, webAddress } from '../../foreign-text.ts'
import { sayRepetition } from './recurrence.ts'
import { ownZoneOf, sayWhen } from './say-when.ts'
import { clockOf } from './when.ts'
import { weekdayOf } from './zones.ts'

const answers: Record<string, [text: string, tone: Tone]> = {
  yes: ['comes', 'good'],
  no: ['declined', 'bad'],
  maybe: ['maybe', 'warn'],
  noreply: ['no response', 'neutral'],
}

function Guests({ participants }: { participants: Event['participants'] }) {
  return (
    <ul className="cal-guests">
      {participants.map(({ email, name, status, comment }, index) => {
        const [text, tone] = answers[status] ?? [status, 'neutral']
        return (
          <li key={`${email} ${index}`}>
            <span className="wrap">{name ? `${name} ${email ? `<${email}>` : ''}` : (email ?? 'Unknown')}</span>
            <Badge tone={tone}>{text}</Badge>
            {comment && <span className="quiet small wrap">{comment}</span>}
          </li>
        )
      })}
    </ul>
  )
}

function Join({ conferencing }: { conferencing: NonNullable<Event['conferencing']> }) {
  const { provider, details } = conferencing
  const url = typeof details?.url === 'string' ? details.url : undefined
  const href = url && webAddress(url)
  return (
    <span className="wrap">
      {href ? (
        <a href={href} target="_blank" rel="noreferrer noopener">
          {provider ? `Join (${provider})` : url}
        </a>
      ) : (
        (url ?? provider ?? '–')
      )}
      {details?.meeting_code && ` · code ${details.meeting_code}`}
      {details?.pin && ` · PIN ${details.pin}`}
    </span>
  )
}

function rowsOf(event: Event, calendar: Calendar | undefined, zone: string): [string, ReactNode][] {
  const own = ownZoneOf(event.when, zone)
  const rows: [string, ReactNode][] = [
    [
      'When',
      <span key="when">
        {sayWhen(event.when, zone)}
        {own && <span className="quiet small"> (created in {own})</span>}
      </span>,
    ],
    ['Calendar', <span key="calendar">{calendar?.name || event.calendar_id}</span>],
  ]
  if (event.recurrence && event.recurrence.length > 0) {
    const weekday = weekdayOf(clockOf(event.when, zone).startDate)
    rows.push(['Repeats', <span key="repeats">{sayRepetition(event.recurrence, weekday, zone)}</span>])
  }
  if (event.location) rows.push(['Where', <span key="where">{event.location}</span>])
  if (event.conferencing) rows.push(['Conference', <Join key="join" conferencing={event.conferencing} />])
  const { organizer } = event
  if (organizer) rows.push(['Organizer', organizer.name ? `${organizer.name} <${organizer.email}>` : organizer.email])
  if (event.participants.length > 0) rows.push(['Guests', <Guests key="guests" participants={event.participants} />])
  if (event.resources.length > 0)
    rows.push(['Rooms', event.resources.map(({ name, email }) => name ?? email).join(', ')])
  if (event.reminders && !event.reminders.use_default) {
    const minutes = event.reminders.overrides.map(({ reminder_minutes }) => `${reminder_minutes} min before`)
    rows.push(['Reminders', minutes.join(', ') || 'None'])
  }
  return rows
}

export function EventFacts({ event, calendar, zone }: { event: Event; calendar: Calendar | undefined; zone: string }) {
  return (
    <>
      <div className="tags">
        <Badge plain tone={event.busy ? 'info' : 'neutral'}>
          {event.busy ? 'Busy' : 'Free'}
        </Badge>
        {event.status !== 'confirmed' && (
          <Badge plain tone="warn">
            {event.status === 'maybe' ? 'Tentative' : 'Cancelled'}
          </Badge>
        )}
        {event.visibility && event.visibility !== 'default' && <Badge plain>{event.visibility}</Badge>}
        {event.master_event_id && <Badge plain>Part of a series</Badge>}
      </div>
      <Facts rows={rowsOf(event, calendar, zone)} />
      {event.description && <p className="cal-words wrap">{plainText(event.description)}</p>}
    </>
  )
}
