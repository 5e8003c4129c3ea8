import { eventPlacement } from './event-placement.ts'
import type { BookedConfiguration } from './tools.ts'
import type { Placement } from './work.ts'

/** How the bookings of a configuration take place. */
export const placementOf = (_of: BookedConfiguration): Placement => eventPlacement
