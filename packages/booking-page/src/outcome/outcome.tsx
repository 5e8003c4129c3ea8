/** The last view: what happened, the details, and what can be done next. */
import type { Booking } from '@waypost/contract'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { Icon } from '../components/icon.tsx'
import { When } from '../components/when.tsx'
import { usePage } from '../page.ts'
import { AddToCalendar } from './add-to-calendar.tsx'
import type { CalendarEntry } from './ics.ts'
import { changeLink } from './links.ts'

interface OutcomeProps {
  title: string
  text?: string | undefined
  tone?: 'good' | 'waiting' | 'ended'
  children?: ComponentChildren
}

const marks = { good: 'check', waiting: 'clock', ended: 'cross' } as const

/** A heading that takes the focus, so that screen readers continue there. */
export function Outcome({ title, text, tone = 'good', children }: OutcomeProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section class="outcome">
      <span class={`mark ${tone}`}>
        <Icon name={marks[tone]} />
      </span>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {text && <p class="lead">{text}</p>}
      {children}
    </section>
  )
}

const isLink = (text: string): boolean => /^https?:\/\/\S+$/.test(text)

interface Person {
  name?: string | null | undefined
  email: string
}

interface DetailsProps {
  title?: string | undefined
  start: number
  end: number
  location?: string | undefined
  people: readonly Person[]
  fields?: readonly (readonly [string, string])[]
}

export function Details({ title, start, end, location, people, fields = [] }: DetailsProps) {
  const { t, zone } = usePage()
  return (
    <dl class="details">
      {title && (
        <>
          <dt>{t('what')}</dt>
          <dd>{title}</dd>
        </>
      )}
      <dt>{t('when')}</dt>
      <dd>
        <When start={start} end={end} />
        <small>{zone.replaceAll('_', ' ')}</small>
      </dd>
      {people.length > 0 && (
        <>
          <dt>{t('who')}</dt>
          <dd>
            {people.map(({ name, email }) => (
              <div key={email} class="person">
                {name && name !== email ? `${name} ` : ''}
                <small>{email}</small>
              </div>
            ))}
          </dd>
        </>
      )}
      {location && (
        <>
          <dt>{t('where')}</dt>
          <dd>{isLink(location) ? <a href={location}>{location}</a> : location}</dd>
        </>
      )}
      {fields.map(([label, value]) => [<dt key={`dt ${label}`}>{label}</dt>, <dd key={`dd ${label}`}>{value}</dd>])}
    </dl>
  )
}

const ChangeLinks = ({ booking }: { booking: Booking }) => {
  const { data, settings, t } = usePage()
  const links = (['reschedule', 'cancel'] as const).flatMap((kind) => {
    const href = changeLink(kind, { settings, prefix: data.prefix }, booking.booking_ref)
    return href ? [{ kind, href }] : []
  })
  if (links.length === 0) return null
  return (
    <p class="links">
      {links.map(({ kind, href }) => (
        <a key={kind} href={href}>
          {t(kind)}
        </a>
      ))}
    </p>
  )
}

interface BookedProps {
  booking: Booking
  /** Whether an existing booking was moved. */
  isMoved: boolean
  /** The application's page, if the configuration names one. */
  next?: string | undefined
  again?: () => void
}

/** The confirmation of a booking. */
export function Booked({ booking, isMoved, next, again }: BookedProps) {
  const { data, settings, t } = usePage()
  const { guest, organizer, title, location, description, additional_guests: others } = booking
  const isPending = booking.status === 'pending'
  const entry: CalendarEntry = useMemo(
    () => ({
      uid: `${booking.booking_id}@${window.location.host}`,
      title,
      location,
      description,
      start: booking.start_time,
      end: booking.end_time,
    }),
    [booking, title, location, description],
  )
  const heading = t(isPending ? 'pending_title' : isMoved ? 'moved_title' : 'booked_title')
  const usual = isPending
    ? t(data.sendsMail ? 'pending_text' : 'pending_quiet', { email: guest.email })
    : isMoved
      ? t('moved_text')
      : t(data.sendsMail ? 'booked_text' : 'booked_quiet', { email: guest.email })
  return (
    <Outcome
      title={heading}
      text={settings.appearance?.thank_you_message || usual}
      tone={isPending ? 'waiting' : 'good'}
    >
      <Details
        title={title}
        start={booking.start_time}
        end={booking.end_time}
        location={location}
        people={[organizer, guest, ...others]}
      />
      {!isPending && <AddToCalendar entry={entry} />}
      {next && (
        <a class="main-button" href={next} target="_top">
          {t('continue')}
        </a>
      )}
      <ChangeLinks booking={booking} />
      {again && (
        <button type="button" class="quiet-button" onClick={again}>
          <Icon name="plus" />
          <span>{t('book_another')}</span>
        </button>
      )}
    </Outcome>
  )
}
