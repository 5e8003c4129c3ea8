/** Fields of calendars and events that Exchange does not have, for Graph and EWS. */
import { ignored, invalid, unsupported } from '../../limits.ts'

const guest = ignored('Exchange keeps the address and the name of a guest alone')
const room = ignored('Exchange knows what a room is like by its address')

/** `nameOnly` says why a calendar has only a name. */
export function calendarFieldLimits(provider: string, nameOnly: string) {
  const only = unsupported(nameOnly)
  const calendar = { description: only, location: only, timezone: only }
  return {
    calendar,
    changedCalendar: { ...calendar, hex_color: only, hex_foreground_color: only },
    eventTypes: {
      'event_type[]': invalid(`events at ${provider} are of the type default alone`, { except: ['default'] }),
    },
    event: {
      visibility: invalid(`must be public or private at ${provider}`, { values: ['default'] }),
      'participants[].comment': guest,
      'participants[].phone_number': guest,
      'resources[].capacity': room,
      'resources[].building': room,
      'resources[].floor_name': room,
      'resources[].floor_section': room,
      'resources[].floor_number': room,
      'reminders.overrides[].reminder_method': ignored('Outlook shows its reminders itself', {
        except: ['display', 'popup'],
      }),
      color_id: ignored(`events at ${provider} have categories in place of colours`),
    },
  }
}
