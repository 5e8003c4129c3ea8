/** Events of a calendar. */
import { sequence, type ValueOf } from '../soap/description.ts'
import { itemFields } from './item.ts'

export const calendarItem = sequence(itemFields)
export type CalendarItem = ValueOf<typeof calendarItem>
