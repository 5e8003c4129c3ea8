/** All difficult calendar objects. */
import { difficultBroken } from './difficult-ics-broken.ts'
import { difficultContent } from './difficult-ics-content.ts'
import { difficultPeople } from './difficult-ics-people.ts'
import { difficultSeries } from './difficult-ics-series.ts'
import { difficultTimes } from './difficult-ics-times.ts'
import { difficultZones } from './difficult-ics-zones.ts'
import type { DifficultIcs } from './making-ics.ts'

export const difficultIcs: DifficultIcs[] = [
  ...difficultZones,
  ...difficultTimes,
  ...difficultSeries,
  ...difficultPeople,
  ...difficultContent,
  ...difficultBroken,
]
