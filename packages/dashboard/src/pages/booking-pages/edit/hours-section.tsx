import { CheckField } from '../../../components/form.tsx'
import { localZone } from '../../calendar/zones.ts'
import { setOwnHours, setRules, setZone } from '../changes.ts'
import { DateFields } from '../fields/date-fields.tsx'
import { WeekFields } from '../fields/week-fields.tsx'
import { ZoneField } from '../fields/zone-field.tsx'
import { blocksOf, type HoursBlock, usualWeek } from '../hours.ts'
import { isHost } from '../kinds.ts'
import { Section, type SectionProps } from './section.tsx'

/** Blocks get the time zone of the page, unless they have their own. */
const zoned = (blocks: readonly HoursBlock[], zone: string): HoursBlock[] =>
  blocks.map((block) => ({ ...block, timezone: block.timezone || zone }))

/** Hours of single hosts, which replace those of the page. */
function OwnHours({ draft, edit, zone }: SectionProps & { zone: string }) {
  const hosts = draft.participants.map((participant, index) => ({ participant, index }))
  return hosts
    .filter(({ participant }) => isHost(participant))
    .map(({ participant, index }) => {
      const own = participant.availability?.open_hours ?? []
      const usual = draft.availability.availability_rules?.default_open_hours ?? []
      return (
        <div key={participant.email} className="own-hours">
          <CheckField
            label={`Own hours for ${participant.name || participant.email}`}
            name={`own-hours-${index}`}
            checked={own.length > 0}
            onChange={(wanted) =>
              edit(
                setOwnHours(
                  index,
                  wanted
                    ? zoned(usual.length > 0 ? usual : blocksOf(usualWeek, { timezone: zone, exdates: [] }), zone)
                    : undefined,
                ),
              )
            }
          />
          {own.length > 0 && (
            <WeekFields
              legend={`Hours of ${participant.name || participant.email}`}
              blocks={own}
              onChange={(blocks) => edit(setOwnHours(index, zoned(blocks, zone)))}
            />
          )}
        </div>
      )
    })
}

export function HoursSection(props: SectionProps) {
  const { draft, edit } = props
  const rules = draft.availability.availability_rules
  const zone = draft.event_booking.timezone || localZone()
  const isTeam = draft.participants.filter(isHost).length > 1
  return (
    <Section open title="Hours" lead="When guests can book">
      <ZoneField
        name="event_booking.timezone"
        hint="Hours and single days are in this time zone. Guests see times in their own."
        none={draft.event_booking.timezone ? undefined : 'Not set (UTC)'}
        value={draft.event_booking.timezone ?? ''}
        onChange={(next) => edit(setZone(next))}
      />
      {(rules?.default_open_hours ?? []).length === 0 && (
        <div className="note warn">No day is open in the week. Without any hours, guests can book at all times.</div>
      )}
      <WeekFields
        legend={isTeam ? 'Hours of everyone' : 'Weekly hours'}
        blocks={rules?.default_open_hours ?? []}
        onChange={(blocks) => edit(setRules({ default_open_hours: zoned(blocks, zone) }))}
      />
      {isTeam && <OwnHours {...props} zone={zone} />}
      <DateFields
        dates={rules?.default_specific_time_availability ?? []}
        zone={zone}
        onChange={(dates) => edit(setRules({ default_specific_time_availability: dates }))}
      />
      <CheckField
        label="Only the single days can be booked"
        name="availability.availability_rules.only_specific_time_availability"
        hint="The weekly hours then have no effect."
        checked={rules?.only_specific_time_availability ?? false}
        onChange={(only) => edit(setRules({ only_specific_time_availability: only }))}
      />
    </Section>
  )
}
