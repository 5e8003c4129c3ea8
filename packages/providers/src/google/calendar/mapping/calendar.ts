import type { Calendar } from '@waypost/contract'
import { resolveTimeZone } from '@waypost/formats/timezones/timezones'
import type { GoogleCalendar } from '../calendar-api.ts'
import { isReadOnly } from './event.ts'

export const fromCalendar = (calendar: GoogleCalendar, grantId: string): Calendar => ({
  id: calendar.id,
  grant_id: grantId,
  object: 'calendar',
  name: calendar.summaryOverride ?? calendar.summary ?? '',
  description: calendar.description ?? null,
  location: calendar.location ?? null,
  timezone: resolveTimeZone(calendar.timeZone ?? '') ?? 'UTC',
  hex_color: calendar.backgroundColor ?? null,
  hex_foreground_color: calendar.foregroundColor ?? null,
  is_owned_by_user: calendar.accessRole === 'owner',
  is_primary: calendar.primary === true,
  read_only: isReadOnly(calendar.accessRole),
  metadata: {},
})
