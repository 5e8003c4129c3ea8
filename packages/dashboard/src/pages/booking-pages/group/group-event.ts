/** A new group event from the values of a form. Pure. */
import type { GroupEventDraft } from '@waypost/sdk'
import { secondsOf } from '../../calendar/zones.ts'

export interface GroupEventValues {
  title: string
  date: string
  time: string
  minutes: number
  capacity: number
  /** `''` for a single event. */
  repeat: '' | 'DAILY' | 'WEEKLY' | 'MONTHLY'
  times: number
}

export const repeats = [
  ['', 'Does not repeat'],
  ['DAILY', 'Every day'],
  ['WEEKLY', 'Every week'],
  ['MONTHLY', 'Every month'],
] as const

export function groupEventOf(values: GroupEventValues, zone: string): GroupEventDraft {
  const start = secondsOf(`${values.date}T${values.time}`, zone)
  return {
    title: values.title.trim(),
    when: {
      start_time: start,
      end_time: start + values.minutes * 60,
      start_timezone: zone,
      end_timezone: zone,
    },
    capacity: values.capacity,
    ...(values.repeat ? { recurrence: [`RRULE:FREQ=${values.repeat};COUNT=${values.times}`] } : {}),
  }
}
