/** The events of a group page that guests can join. */
import type { GroupEvent, SchedulingPage } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { Button } from '../../../components/button.tsx'
import { CustomerData } from '../../../components/customer-data.tsx'
import { ConfirmButton } from '../../../components/dialog.tsx'
import { TextField } from '../../../components/form.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { Card } from '../../../components/page.tsx'
import { Empty, Loaded } from '../../../components/states.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { showToast } from '../../../components/toast.tsx'
import { now } from '../../../format.ts'
import { refresh, useData } from '../../../queries.ts'
import { sayWhen } from '../../calendar/say-when.ts'
import { addDays, dateOf, localZone, wallOf } from '../../calendar/zones.ts'
import { pagesKey } from '../data.ts'
import { PageFrame } from '../page-frame.tsx'
import { type GroupEventValues, groupEventOf } from './group-event.ts'
import { GroupEventFields } from './group-event-fields.tsx'

const dayLength = 86_400
/** How far ahead the list looks, in days. */
const ahead = 90

const eventsKey = (application: string, id: string): unknown[] => pagesKey(application, 'group-events', id)

/** Tomorrow at ten. */
const firstValues = (title: string, capacity: number): GroupEventValues => ({
  title,
  date: addDays(dateOf(wallOf(Math.floor(now()), localZone())), 1),
  time: '10:00',
  minutes: 60,
  capacity,
  repeat: '',
  times: 8,
})

function NewGroupEvent({ application, page, onClose }: { application: string; page: SchedulingPage; onClose(): void }) {
  const [values, setValues] = useState(() => firstValues(page.name, page.group_booking?.default_capacity ?? 10))
  const change = (next: Partial<GroupEventValues>): void => setValues((before) => ({ ...before, ...next }))
  return (
    <FormDialog
      title="New event"
      onClose={onClose}
      submit="Add event"
      onSubmit={() =>
        api(application).groupEvents.create({
          grant_id: page.grant_id,
          configuration_id: page.id,
          body: groupEventOf(values, localZone()),
        })
      }
      reload={() => refresh(...eventsKey(application, page.id))}
      done="Event added"
    >
      <TextField
        label="Title"
        name="title"
        maxLength={1024}
        autoFocus
        value={values.title}
        onChange={(title) => change({ title })}
      />
      <GroupEventFields values={values} onChange={change} />
      <p className="quiet small">Times are in your time zone, {localZone()}.</p>
    </FormDialog>
  )
}

const columns: readonly Column<GroupEvent>[] = [
  { title: 'Time', cell: ({ when }) => <span className="number">{sayWhen(when, localZone())}</span> },
  { title: 'Event', cell: ({ title }) => <span className="wrap">{title}</span> },
  {
    title: 'Seats taken',
    kind: 'end',
    cell: ({ group_event_info: info }) => (info ? `${info.booked_seats} of ${info.capacity}` : '–'),
  },
]

function EventList({ application, page }: { application: string; page: SchedulingPage }) {
  const [creating, setCreating] = useState(false)
  const query = useData(eventsKey(application, page.id), (signal) => {
    const start = Math.floor(now())
    const window = { start_time: start, end_time: start + ahead * dayLength, limit: 200 }
    const request = { grant_id: page.grant_id, configuration_id: page.id, query: window, signal }
    return api(application).groupEvents.list(request)
  })
  const remove = async ({ id, calendar_id }: GroupEvent): Promise<void> => {
    const of = { grant_id: page.grant_id, configuration_id: page.id, event_id: id }
    await api(application).groupEvents.delete({ ...of, query: { calendar_id } })
    await refresh(...eventsKey(application, page.id))
    showToast('Event deleted')
  }
  const create = (
    <Button kind="primary" changes onClick={() => setCreating(true)}>
      New event
    </Button>
  )
  return (
    <Card
      title="Events"
      lead={`Guests join these events until they are full. The next ${ahead} days.`}
      actions={create}
    >
      <Loaded query={query}>
        {(events) =>
          events.length === 0 ? (
            <Empty title="No events yet">Guests see an empty page until you add an event.</Empty>
          ) : (
            <Table
              label="Events of the page"
              rows={events}
              columns={columns}
              id={({ id }) => id}
              actions={(event) => (
                <ConfirmButton
                  small
                  label="Delete"
                  title="Delete this event?"
                  confirm="Delete event"
                  onConfirm={() => remove(event)}
                >
                  <p>It is removed from the calendar, and the bookings of its seats are canceled.</p>
                </ConfirmButton>
              )}
            />
          )
        }
      </Loaded>
      {creating && <NewGroupEvent {...{ application, page }} onClose={() => setCreating(false)} />}
    </Card>
  )
}

export function GroupEventsPage({ application, id }: { application: string; id: string }) {
  return (
    <PageFrame application={application} id={id} current="events">
      {(page) => (
        <CustomerData of={undefined}>
          <EventList application={application} page={page} />
        </CustomerData>
      )}
    </PageFrame>
  )
}
