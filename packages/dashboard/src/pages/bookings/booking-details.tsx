/** One booking with everything that the guest entered, and its actions. */

import type { Booking } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { api } from '../../api.ts'
import { CopyText } from '../../components/copy.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Facts } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { useData } from '../../queries.ts'
import { localZone } from '../calendar/zones.ts'
import { BookingActions } from './actions.tsx'
import { bookingsKey } from './booking-list.ts'
import { BookingState } from './booking-state.tsx'
import { saySpan } from './say-booking.ts'

const person = ({ name, email }: { name?: string | null; email: string }): string =>
  name ? `${name} <${email}>` : email

function factsOf(booking: Booking): (readonly [string, ReactNode])[] {
  const zone = localZone()
  const { guest, additional_guests, additional_fields, organizer, location, description, timezone } = booking
  return [
    ['State', <BookingState of={booking.status} />],
    ['Time', saySpan(booking, zone)],
    ...(timezone && timezone !== zone
      ? [['For the guest', `${saySpan(booking, timezone)} (${timezone})`] as const]
      : []),
    ['Guest', <bdi className="wrap">{person(guest)}</bdi>],
    ...(additional_guests.length > 0
      ? [['Others', <span className="wrap">{additional_guests.map(person).join(', ')}</span>] as const]
      : []),
    ['Host', <bdi className="wrap">{person(organizer)}</bdi>],
    ...(location ? [['Location', <span className="wrap">{location}</span>] as const] : []),
    ...(description ? [['Description', <span className="wrap">{description}</span>] as const] : []),
    ...Object.entries(additional_fields).map(([key, value]) => [key, <span className="wrap">{value}</span>] as const),
    ['Booking ID', <CopyText inline text={booking.booking_id} label="Copy the booking ID" />],
  ]
}

export function BookingDetails({ application, id, onClose }: { application: string; id: string; onClose(): void }) {
  const query = useData(bookingsKey(application, 'one', id), (signal) =>
    api(application).bookings.get({ booking_id: id, signal }),
  )
  return (
    <Dialog title={query.data?.title || 'Booking'} onClose={onClose}>
      <Loaded query={query}>
        {(booking) => (
          <>
            <Facts rows={factsOf(booking)} />
            <p>
              <Link href={`/a/${application}/booking-pages/${booking.configuration_id}`}>Booking page</Link>
            </p>
            <div className="dialog-foot">
              <BookingActions {...{ application, booking }} onChanged={() => void query.refetch()} />
            </div>
          </>
        )}
      </Loaded>
    </Dialog>
  )
}
