/** Moves a booking to another free time of its page. */
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { BookableSlot, Booking } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useShownProblem } from '../../components/form-problems.ts'
import { Icon } from '../../components/icons.tsx'
import { Empty, ErrorNote, Skeleton } from '../../components/states.tsx'
import { showToast } from '../../components/toast.tsx'
import { now } from '../../format.ts'
import '../../styles/booking-pages.css'
import { addDays, dateOf, localZone, wallOf } from '../calendar/zones.ts'
import { bookingsKey } from './booking-list.ts'
import { dayWords, saySpan, timeWords } from './say-booking.ts'
import { byDay, eachStart, weekFrom } from './slots.ts'

const useFreeTimes = (application: string, booking: Booking, date: string, zone: string) =>
  useQuery({
    queryKey: bookingsKey(application, 'free', booking.booking_id, date, zone),
    queryFn: async ({ signal }) => {
      const query = {
        ...weekFrom(date, zone),
        configuration_id: booking.configuration_id,
        booking_id: booking.booking_id,
      }
      const { data } = await api(application).schedulingAvailability.find({ query, signal })
      return eachStart(data.time_slots).filter(({ start_time }) => start_time !== booking.start_time)
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

function Times({
  slots,
  zone,
  chosen,
  onChoose,
}: {
  slots: readonly BookableSlot[]
  zone: string
  chosen: BookableSlot | undefined
  onChoose(slot: BookableSlot): void
}) {
  if (slots.length === 0) return <Empty title="No free times in this week">Look at another week.</Empty>
  return byDay(slots, zone).map(({ date, slots: times }) => (
    <section key={date} className="free-day" aria-label={dayWords(date)}>
      <h3>{dayWords(date)}</h3>
      <div className="actions">
        {times.map((slot) => (
          <Button
            key={slot.start_time}
            small
            kind={slot.start_time === chosen?.start_time ? 'primary' : 'normal'}
            aria-pressed={slot.start_time === chosen?.start_time}
            onClick={() => onChoose(slot)}
          >
            {timeWords(slot.start_time, zone)}
          </Button>
        ))}
      </div>
    </section>
  ))
}

/** The request for a slot: a group event is named by its ids. */
const moveTo = ({ start_time, end_time, event_id, master_id, calendar_id }: BookableSlot) => ({
  start_time,
  end_time,
  ...(event_id ? { event_id, master_id, calendar_id } : {}),
})

export function Move({
  application,
  booking,
  onDone,
  onClose,
}: {
  application: string
  booking: Booking
  onDone(): void
  onClose(): void
}) {
  const zone = localZone()
  const today = dateOf(wallOf(Math.floor(now()), zone))
  const [date, setDate] = useState(today)
  const [chosen, setChosen] = useState<BookableSlot>()
  const free = useFreeTimes(application, booking, date, zone)
  const work = useMutation({
    mutationFn: (slot: BookableSlot) =>
      api(application).bookings.reschedule({ booking_id: booking.booking_id, body: moveTo(slot) }),
    onSuccess: () => {
      showToast('Booking moved')
      onDone()
      onClose()
    },
    // Somebody else may have taken the time.
    onError: () => void free.refetch(),
  })
  const note = useShownProblem<HTMLDivElement>(work.error)
  const show = (next: string): void => {
    setChosen(undefined)
    setDate(next < today ? today : next)
  }
  return (
    <Dialog title="Move this booking" onClose={onClose}>
      <p className="quiet">
        Now {saySpan(booking, zone)}. Times are in {zone}; the guest’s time zone is {booking.timezone}.
      </p>
      <div className="split">
        <Button small aria-label="Previous week" disabled={date <= today} onClick={() => show(addDays(date, -7))}>
          <Icon name="back" />
        </Button>
        <strong aria-live="polite">From {dayWords(date)}</strong>
        <Button small aria-label="Next week" onClick={() => show(addDays(date, 7))}>
          <Icon name="forward" />
        </Button>
      </div>
      <div className="free-times" aria-busy={free.isFetching || undefined}>
        {free.error && <ErrorNote error={free.error} onRetry={() => void free.refetch()} />}
        {!free.data && !free.error && <Skeleton lines={4} />}
        {free.data && !free.error && <Times slots={free.data} zone={zone} chosen={chosen} onChoose={setChosen} />}
      </div>
      <div ref={note}>{work.error && <ErrorNote error={work.error} />}</div>
      <div className="dialog-foot">
        <Button onClick={onClose}>Keep the time</Button>
        {chosen && (
          <Button kind="primary" changes busy={work.isPending} onClick={() => work.mutate(chosen)}>
            Move to {dayWords(dateOf(wallOf(chosen.start_time, zone)))}, {timeWords(chosen.start_time, zone)}
          </Button>
        )}
      </div>
    </Dialog>
  )
}
