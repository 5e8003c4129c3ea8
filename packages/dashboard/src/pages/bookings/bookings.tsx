/** Upcoming and past bookings, of one page or of all. */
import type { ListedBooking, SchedulingPage } from '@waypost/sdk'
import { api } from '../../api.ts'
import { CustomerData } from '../../components/customer-data.tsx'
import { ExportButton } from '../../components/export.tsx'
import { ChoiceFilter, DayFilter, Filters } from '../../components/filters.tsx'
import { SelectField } from '../../components/form.tsx'
import { ListTable } from '../../components/list.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import type { Column } from '../../components/table.tsx'
import { useFilters, useListAddress } from '../../list/address.ts'
import { useServiceList } from '../../list/view.ts'
import { useData } from '../../queries.ts'
import { pagesKey } from '../booking-pages/data.ts'
import { PageFrame } from '../booking-pages/page-frame.tsx'
import { SchedulingTabs } from '../booking-pages/scheduling-tabs.tsx'
import { localZone } from '../calendar/zones.ts'
import { BookingDetails } from './booking-details.tsx'
import { bookingsKey, exportColumns, filterNames, filtersOf, readBookings, states } from './booking-list.ts'
import { BookingState } from './booking-state.tsx'
import { saySpan } from './say-booking.ts'

const columnsFor = (onOpen: (id: string) => void): readonly Column<ListedBooking>[] => [
  { title: 'Time', cell: (booking) => <span className="number">{saySpan(booking, localZone())}</span> },
  {
    title: 'Guest',
    cell: ({ booking_id, guest }) => (
      <span className="main-cell wrap">
        <button type="button" className="link wrap" onClick={() => onOpen(booking_id)}>
          {guest.name}
        </button>
        <span className="quiet">{guest.email}</span>
      </span>
    ),
  },
  { title: 'Meeting', cell: ({ title }) => <span className="wrap">{title}</span> },
  { title: 'Host', cell: ({ organizer }) => <span className="wrap">{organizer.name || organizer.email}</span> },
  { title: 'State', kind: 'tight', cell: ({ status }) => <BookingState of={status} /> },
]

function WhenFilter() {
  const { read, set } = useFilters()
  return (
    <SelectField
      label="Time"
      name="when"
      value={read('when')}
      onChange={(value) => set({ when: value })}
      options={[
        ['', 'Upcoming'],
        ['past', 'Past'],
      ]}
    />
  )
}

function List({ application, page }: { application: string; page?: SchedulingPage }) {
  const address = useListAddress({ by: 'start_time', order: 'asc' })
  const filters = filtersOf(address, page?.id)
  const read = readBookings(application, filters)
  const view = useServiceList(bookingsKey(application, 'list', filters), address, read, { refetchInterval: 30_000 })
  const opened = address.read('booking')
  const open = (id: string): void => address.show('booking', id)
  const isFiltered = filterNames.some((name) => name !== 'when' && address.read(name))
  const isPast = address.read('when') === 'past'
  return (
    <>
      <Filters
        names={filterNames}
        tools={<ExportButton name="bookings" one="booking" columns={exportColumns} read={read} />}
        more={
          <>
            <DayFilter label="From" name="from" />
            <DayFilter label="To" name="to" />
          </>
        }
      >
        <WhenFilter />
        <ChoiceFilter label="State" name="status" options={states} />
        {!page && <PageFilter application={application} />}
      </Filters>
      <Card>
        <ListTable
          label="Bookings"
          {...{ view, address }}
          one="booking"
          columns={columnsFor(open)}
          id={({ booking_id }) => booking_id}
          none={
            isFiltered ? (
              <Empty title="No matching bookings">Remove a filter to see more.</Empty>
            ) : isPast ? (
              <Empty title="No past bookings">Meetings that took place appear here.</Empty>
            ) : (
              <Empty title="No upcoming bookings">Bookings appear here as soon as a guest chooses a time.</Empty>
            )
          }
        />
      </Card>
      {opened && <BookingDetails application={application} id={opened} onClose={() => open('')} />}
    </>
  )
}

export function Bookings({ application }: { application: string }) {
  return (
    <Page title="Bookings" lead="Meetings that guests booked on the pages of this application.">
      <SchedulingTabs application={application} current="bookings" />
      <CustomerData of={undefined}>
        <List application={application} />
      </CustomerData>
    </Page>
  )
}

export function PageBookings({ application, id }: { application: string; id: string }) {
  return (
    <PageFrame application={application} id={id} current="bookings">
      {(page) => (
        <CustomerData of={undefined}>
          <List application={application} page={page} />
        </CustomerData>
      )}
    </PageFrame>
  )
}

function PageFilter({ application }: { application: string }) {
  const { data = [] } = useData(pagesKey(application, 'names'), (signal) =>
    api(application).schedulingPages.list({ query: { limit: 200 }, signal }),
  )
  return <ChoiceFilter label="Booking page" name="page" options={data.map(({ id, name }) => [id, name] as const)} />
}
