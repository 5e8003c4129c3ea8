/** The left side of the page: what is booked, with whom, for how long. */
import { durationText, usePage } from '../page.ts'
import type { Slot } from '../slots.ts'
import { Icon } from './icon.tsx'
import { When } from './when.tsx'

/** Only https images are allowed by the policy of the page. */
export const logoOf = (appearance: Readonly<Record<string, string>> | null): string | undefined => {
  const url = appearance?.company_logo_url
  return url?.startsWith('https://') ? url : undefined
}

interface SummaryProps {
  slot?: Slot | undefined
  /** The time that a booking had before. */
  former?: { start_time: number; end_time: number } | undefined
  /** What the visitor is about to do, unless it is a new booking. */
  task?: string | undefined
}

/** Initials for organizers without a logo. */
const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .flatMap((word) => [...word][0] ?? [])
    .filter((_, index, all) => index === 0 || index === all.length - 1)
    .join('')
    .toUpperCase()

const Facts = ({ slot, former }: SummaryProps) => {
  const { data, settings, t } = usePage()
  const minutes = slot ? (slot.end_time - slot.start_time) / 60 : settings.duration_minutes
  return (
    <ul class="facts">
      {former && (
        <li class="former">
          <Icon name="calendar" />
          <span>
            <span class="hidden">{t('former_time')}: </span>
            <s>
              <When start={former.start_time} end={former.end_time} />
            </s>
          </span>
        </li>
      )}
      {slot && (
        <li class="strong">
          <Icon name="calendar" />
          <span>
            <When start={slot.start_time} end={slot.end_time} />
          </span>
        </li>
      )}
      {minutes !== undefined && minutes > 0 && (
        <li>
          <Icon name="clock" />
          <span>{durationText(t, minutes)}</span>
        </li>
      )}
      {data.hasConference && (
        <li>
          <Icon name="video" />
          <span>{t('video_call')}</span>
        </li>
      )}
      {data.location && (
        <li>
          <Icon name="place" />
          <span>{data.location}</span>
        </li>
      )}
      {settings.booking_type !== 'booking' && (
        <li>
          <Icon name="shield" />
          <span>{t('needs_confirmation')}</span>
        </li>
      )}
    </ul>
  )
}

export function Summary({ slot, former, task }: SummaryProps) {
  const { data, settings } = usePage()
  const { name, organizer, appearance } = settings
  const logo = logoOf(appearance)
  const host = organizer.name || organizer.email
  return (
    <header class="summary">
      <div class="host">
        {logo ? (
          <img class="logo" src={logo} alt="" />
        ) : (
          <span class="initials" aria-hidden="true">
            {initialsOf(host || name)}
          </span>
        )}
        {host !== name && <p>{host}</p>}
      </div>
      {task && <p class="task">{task}</p>}
      <h1>{name}</h1>
      <Facts slot={slot} former={former} />
      {data.description && <p class="description">{data.description}</p>}
    </header>
  )
}
