// Time zones as Graph accepts and returns them.
import { findZone, type Zone } from '../../shared/calendar/zones.ts'
import { GraphError } from '../errors.ts'

/** Graph's name for custom zones from an old Outlook; requests cannot use it. */
export const customZone = 'tzone://Microsoft/Custom'

export function requireZone(name: string): Zone {
  const zone = findZone(name)
  if (zone !== undefined) return zone
  throw new GraphError(
    400,
    'TimeZoneNotSupportedException',
    `A valid TimeZone value must be specified. The following TimeZone value is not supported: '${name}'.`,
  )
}
