import { Tabs } from '../../components/page.tsx'

const tabs = { pages: ['booking-pages', 'Booking pages'], bookings: ['booking-pages/bookings', 'Bookings'] } as const

/** Tabs between the booking pages of an application and the bookings of all of them. */
export function SchedulingTabs({ application, current }: { application: string; current: keyof typeof tabs }) {
  return (
    <Tabs
      label="Scheduling"
      tabs={Object.entries(tabs).map(([name, [path, text]]) => ({
        to: `/a/${application}/${path}`,
        text,
        current: name === current,
      }))}
    />
  )
}
