/** The filters of the booking list from its URL, and texts about bookings. */
import type { ListedBooking } from '@waypost/sdk'
import { api } from '../../api.ts'
import { now } from '../../format.ts'
import { daysOf, type ListAddress } from '../../list/address.ts'
import { type ExportColumn, isoTime } from '../../list/export-format.ts'
import type { ReadPage } from '../../list/view.ts'

export const filterNames = ['when', 'status', 'page', 'from', 'to'] as const
export const states = [
  ['pending', 'Waiting for confirmation'],
  ['booked', 'Booked'],
  ['cancelled', 'Canceled'],
] as const

/** The start of the minute, so that the same query is asked for a minute. */
const thisMinute = (): number => Math.floor(now() / 60) * 60

/** The filters as request parameters. Without days, upcoming or past bookings. */
export function filtersOf({ read }: Pick<ListAddress, 'read'>, configuration?: string) {
  const { since, before } = daysOf(read('from'), read('to'))
  const isPast = read('when') === 'past'
  return {
    configuration_id: configuration ?? (read('page') || undefined),
    status: states.find(([each]) => each === read('status'))?.[0],
    start: isPast ? since : Math.max(since ?? 0, thisMinute()),
    end: isPast ? Math.min(before ?? Infinity, thisMinute()) : before,
    order: isPast ? ('desc' as const) : ('asc' as const),
  }
}

export const readBookings =
  (application: string, filters: ReturnType<typeof filtersOf>): ReadPage<ListedBooking> =>
  (page, signal) =>
    api(application).bookings.list({ query: { ...filters, ...page }, signal })

export const bookingsKey = (application: string, ...rest: unknown[]): unknown[] => ['bookings', application, ...rest]

export const exportColumns: readonly ExportColumn<ListedBooking>[] = [
  ['booking_id', ({ booking_id }) => booking_id],
  ['configuration_id', ({ configuration_id }) => configuration_id],
  ['status', ({ status }) => status],
  ['start_time', ({ start_time }) => isoTime(start_time)],
  ['end_time', ({ end_time }) => isoTime(end_time)],
  ['title', ({ title }) => title],
  ['guest_name', ({ guest }) => guest.name],
  ['guest_email', ({ guest }) => guest.email],
  ['organizer_email', ({ organizer }) => organizer.email],
  ['location', ({ location }) => location],
]
