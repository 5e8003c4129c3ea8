// Time zones as Graph takes and gives them.
import { findZone, type Zone } from '../../shared/calendar/zones.ts'
import { GraphError } from '../errors.ts'

/** What Graph names zones that somebody made up in an old Outlook; no request may use it. */
export const CUSTOM_ZONE = 'tzone://Microsoft/Custom'

export function requireZone(name: string): Zone {
  const zone = findZone(name)
  if (zone !== undefined) return zone
  throw new GraphError(
    400,
    'TimeZoneNotSupportedException',
    `A valid TimeZone value must be specified. The following TimeZone value is not supported: '${name}'.`,
  )
}
