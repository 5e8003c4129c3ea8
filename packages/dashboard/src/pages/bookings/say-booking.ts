/** Times of bookings in words. */
import type { Booking } from '@waypost/sdk'
import { sayWhen } from '../calendar/say-when.ts'

type Timed = Pick<Booking, 'start_time' | 'end_time'>

/** A span such as "Fri, Nov 20, 2026, 10:00 – 10:30 AM" in a time zone. */
export const saySpan = ({ start_time, end_time }: Timed, zone: string): string =>
  sayWhen({ object: 'timespan', start_time, end_time, start_timezone: null, end_timezone: null }, zone)

/** Days and times of slots. */
export const dayWords = (date: string): string =>
  new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(`${date}T12:00:00Z`),
  )
export const timeWords = (seconds: number, zone: string): string =>
  new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', timeZone: zone }).format(seconds * 1000)
