/** Step 3: the link, confirmation, and a review. */
import { CardChoice } from '../../../components/card-choice.tsx'
import { TextField } from '../../../components/form.tsx'
import { Facts } from '../../../components/page.tsx'
import { pageUrl } from '../embed.ts'
import { sayHours } from '../hours.ts'
import { kindName } from '../kinds.ts'
import { sayMinutes } from '../minutes.ts'
import { type Answers, conferenceOf } from '../new-page.ts'
import { slugPattern } from '../slug.ts'
import type { StepProps } from './who.tsx'

const modes = [
  ['booking', 'Book at once', 'The guest chooses a free time, and it is booked.'],
  ['organizer-confirmation', 'Ask first', 'The time is held until the host confirms or declines.'],
] as const

/** Whether a booking needs a confirmation. */
export function ModeChoice({
  needsConfirmation,
  onChange,
}: {
  needsConfirmation: boolean
  onChange(needsConfirmation: boolean): void
}) {
  return (
    <CardChoice
      legend="Booking"
      name="event_booking.booking_type"
      options={modes}
      value={needsConfirmation ? 'organizer-confirmation' : 'booking'}
      onChoose={(mode) => onChange(mode !== 'booking')}
    />
  )
}

function whereOf({ place, where, hosts }: Answers): string {
  if (place === 'none') return 'No location'
  return place === 'conference' ? (conferenceOf(hosts) ?? 'No location') : where
}

function Review({ answers }: { answers: Answers }) {
  const isGroup = answers.kind === 'group'
  return (
    <section aria-label="Review" className="review">
      <Facts
        rows={[
          ['Title', <span className="wrap">{answers.title}</span>],
          ['Type', kindName(answers.kind)],
          [answers.hosts.length > 1 ? 'Hosts' : 'Host', answers.hosts.map(({ email }) => email).join(', ')],
          ...(isGroup
            ? ([
                ['First event', `${answers.event.date} ${answers.event.time} (${answers.zone})`],
                ['Duration', sayMinutes(answers.event.minutes)],
                ['Seats', String(answers.event.capacity)],
              ] as const)
            : ([
                ['Duration', sayMinutes(answers.duration)],
                ['Hours', `${sayHours(answers.hours)} (${answers.zone})`],
              ] as const)),
          ['Where', whereOf(answers)],
        ]}
      />
    </section>
  )
}

export function LinkStep({ application, answers, change }: StepProps) {
  return (
    <>
      <TextField
        label="Link"
        name="slug"
        pattern={slugPattern}
        maxLength={256}
        autoFocus
        hint={<span className="wrap">{pageUrl(application, { id: '', slug: answers.slug || '…' })}</span>}
        value={answers.slug}
        onChange={(slug) => change((now) => ({ ...now, slug }))}
      />
      {answers.kind !== 'group' && (
        <ModeChoice
          needsConfirmation={answers.needsConfirmation}
          onChange={(needsConfirmation) => change((now) => ({ ...now, needsConfirmation }))}
        />
      )}
      <Review answers={answers} />
    </>
  )
}
