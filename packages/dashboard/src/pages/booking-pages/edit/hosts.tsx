import type { AdminGrant, Calendar, Configuration } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { SelectField } from '../../../components/form.tsx'
import { Icon } from '../../../components/icons.tsx'
import { Skeleton } from '../../../components/states.tsx'
import { useRights } from '../../../rights.ts'
import { setParticipant, setRules } from '../changes.ts'
import { useWritableCalendars } from '../data.ts'
import { isHost, kindOf, methods, type RoundRobinMethod } from '../kinds.ts'
import { HostChoice } from '../new/host-choice.tsx'
import { Section, type SectionProps } from './section.tsx'

type Participant = Configuration['participants'][number]

/** A new host, whose calendar follows when it is known. */
const hostOf = ({ id, email, name }: AdminGrant): Participant => ({
  email,
  name: name || email,
  grant_id: id,
  is_organizer: false,
  availability: { calendar_ids: ['primary'] },
  booking: { calendar_id: 'primary' },
})

/** The calendar that gets the events. If the checked calendars were only this one, they follow it. */
function withCalendar(participant: Participant, calendar: string): Partial<Participant> {
  const before = participant.availability?.calendar_ids ?? []
  const checked = before.includes(calendar) ? before : before.length <= 1 ? [calendar] : [...before, calendar]
  return {
    booking: { calendar_id: calendar },
    availability: { ...participant.availability, calendar_ids: checked },
  }
}

function BookingCalendar({
  application,
  participant,
  at,
  onChange,
}: {
  application: string
  participant: Participant
  at: string
  onChange(change: Partial<Participant>): void
}) {
  const { customerData } = useRights()
  const grant = participant.grant_id || participant.email
  const { data, error } = useWritableCalendars(application, grant, customerData)
  const current = participant.booking?.calendar_id ?? ''
  if (!customerData || error) return <span className="quiet small">Calendar {current || 'primary'}</span>
  if (!data) return <Skeleton lines={1} />
  const known = data.some(({ id }: Calendar) => id === current)
  return (
    <SelectField
      label="Calendar for events"
      name={`${at}.booking.calendar_id`}
      value={current}
      options={[
        ...(known ? [] : [[current, current || 'None'] as const]),
        ...data.map(({ id, name }) => [id, name || id] as const),
      ]}
      onChange={(calendar) => onChange(withCalendar(participant, calendar))}
    />
  )
}

function ParticipantRow({
  application,
  participant,
  index,
  tools,
  onChange,
}: {
  application: string
  participant: Participant
  index: number
  tools: ReactNode
  onChange(change: Partial<Participant>): void
}) {
  const role = participant.is_organizer ? 'organizer' : isHost(participant) ? undefined : 'invited only'
  return (
    <li className="host">
      <div className="split">
        <span className="main-cell wrap">
          <strong>{participant.name || participant.email}</strong>
          <span className="quiet">{[participant.name ? participant.email : '', role].filter(Boolean).join(' · ')}</span>
        </span>
        <div className="actions">{tools}</div>
      </div>
      {isHost(participant) && (
        <BookingCalendar {...{ application, participant, onChange }} at={`participants.${index}`} />
      )}
    </li>
  )
}

export function HostsSection({ application, draft, edit }: SectionProps) {
  const { participants } = draft
  const isRoundRobin = kindOf(draft) === 'round-robin'
  const set = (next: Participant[]): void => edit((now) => ({ ...now, participants: next }))
  const method = draft.availability.availability_rules?.availability_method ?? 'collective'
  return (
    <Section title="Hosts" lead="Whose calendars are used">
      <ul className="hosts" aria-label="Participants">
        {participants.map((participant, index) => (
          <ParticipantRow
            key={participant.email}
            {...{ application, participant, index }}
            onChange={(change) => edit(setParticipant(index, change))}
            tools={
              <>
                {!isRoundRobin && isHost(participant) && !participant.is_organizer && (
                  <Button
                    small
                    kind="plain"
                    changes
                    onClick={() => set(participants.map((each, at) => ({ ...each, is_organizer: at === index })))}
                  >
                    Make organizer
                  </Button>
                )}
                {participants.length > 1 && !participant.is_organizer && (
                  <Button
                    small
                    kind="plain"
                    changes
                    aria-label={`Remove ${participant.email}`}
                    onClick={() => set(participants.filter((_, at) => at !== index))}
                  >
                    <Icon name="cross" />
                  </Button>
                )}
              </>
            }
          />
        ))}
      </ul>
      <HostChoice
        application={application}
        label="Add a host"
        except={participants.flatMap(({ grant_id }) => (grant_id ? [grant_id] : []))}
        onChoose={(grant) => set([...participants, hostOf(grant)])}
      />
      {participants.filter(isHost).length > 1 && (
        <SelectField
          label="Who meets the guest"
          name="availability.availability_rules.availability_method"
          value={method}
          options={[['collective', 'All hosts together'], ...methods]}
          onChange={(next) => {
            const isTogether = next === 'collective'
            edit((now) => ({
              ...setRules({ availability_method: next as RoundRobinMethod | 'collective' })(now),
              participants: now.participants.map((each, at) => ({ ...each, is_organizer: isTogether && at === 0 })),
            }))
          }}
        />
      )}
    </Section>
  )
}
