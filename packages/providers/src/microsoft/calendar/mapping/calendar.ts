import type { Calendar, Grant } from '@waypost/contract'
import type { GraphCalendar } from '../calendar-api.ts'

/** Whether the account owns a calendar: calendars of other owners cannot be shared further. */
function isOwn({ owner, canShare, isDefaultCalendar }: GraphCalendar, { email }: Grant): boolean {
  if (isDefaultCalendar || owner?.address === undefined) return isDefaultCalendar === true || canShare !== false
  return canShare === true || owner.address.toLowerCase() === email.toLowerCase()
}

/** Maps a calendar. Graph has no location, description or zone of a calendar. */
export const fromCalendar = (calendar: GraphCalendar, grant: Grant): Calendar => ({
  id: calendar.id,
  grant_id: grant.id,
  object: 'calendar',
  name: calendar.name ?? '',
  description: null,
  location: null,
  timezone: 'UTC',
  hex_color: calendar.hexColor || null,
  hex_foreground_color: null,
  is_owned_by_user: isOwn(calendar, grant),
  is_primary: calendar.isDefaultCalendar === true,
  read_only: calendar.canEdit === false,
  ...(calendar.owner?.address === undefined ? {} : { owner_email: calendar.owner.address }),
  metadata: {},
})
