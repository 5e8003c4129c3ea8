/** The calendars of a grant by month, week and day. */
import type { Calendar, Grant } from '@waypost/sdk'
import { useCallback, useMemo, useState } from 'react'
import { Loaded } from '../../components/states.tsx'
import { refresh } from '../../queries.ts'
import '../../styles/calendar.css'
import { useLive } from '../../live.ts'
import { GrantData } from '../grants/grant-data.tsx'
import { useCalendarPlace } from './address.ts'
import { CalendarsList, NoCalendars } from './calendars-list.tsx'
import { type Account, keyOf, type Range, useCalendars, useEvents } from './data.ts'

import { EventDetails } from './event-details.tsx'
import { type Editing, EventForm } from './event-form.tsx'
import { BusyPeople, busyEvents, useFreeBusy } from './free-busy.tsx'
import { Grid } from './grid.tsx'
import { useMoves, withMoves } from './moves.tsx'
import { shownEvents } from './shown-events.ts'
import { Toolbar, ZoneChooser } from './toolbar.tsx'
import { type Clock, clockOfPlaced, nextHour } from './when.ts'
import { wallOf } from './zones.ts'

const triggers = [
  'event.created',
  'event.updated',
  'event.deleted',
  'calendar.created',
  'calendar.updated',
  'calendar.deleted',
]

/** The default calendar for new events. */
const defaultCalendar = (calendars: readonly Calendar[]): Calendar | undefined => {
  const writable = calendars.filter(({ read_only }) => !read_only)
  return writable.find(({ is_primary }) => is_primary) ?? writable[0]
}

function Calendars({ account, calendars }: { account: Account; calendars: readonly Calendar[] }) {
  const { application, grant } = account
  const [place, setPlace] = useCalendarPlace()
  const { zone, hidden } = place
  const [range, setRange] = useState<Range>()
  const [title, setTitle] = useState('')
  const [begun, setBegun] = useState<Editing>()
  const shown = calendars.filter(({ id }) => !hidden.includes(id))
  const ids = shown.map(({ id }) => id)
  const { events, states } = useEvents(account, ids, range)
  const { moves, begin, dialogs } = useMoves(account, zone)
  const busy = useFreeBusy(account, place.busy, range)
  const inputs = useMemo(
    () => [...shownEvents(account, calendars, withMoves(events, moves)), ...busyEvents(busy.data ?? [])],
    [account, calendars, events, moves, busy.data],
  )
  const onRange = useCallback((next: Range, words: string) => {
    setRange((before) => (before?.start === next.start && before.end === next.end ? before : next))
    setTitle(words)
  }, [])
  useLive({ application, grant: grant.id, triggers, onChange: () => void refresh(...keyOf(account)) })
  const usual = defaultCalendar(shown) ?? defaultCalendar(calendars)
  const create = (clock: Clock): void => {
    if (usual) setBegun({ kind: 'new', clock, calendar: usual.id })
  }
  const today = wallOf(Date.now() / 1000, zone).slice(0, 10)
  const found = (id: string, calendar: string) =>
    events.find((event) => event.id === id && event.calendar_id === calendar)
  const open = place.event
  return (
    <div className="calendar">
      <div className="cal-side">
        <CalendarsList
          calendars={calendars}
          hidden={hidden}
          states={Object.fromEntries(ids.map((id, index) => [id, states[index]]))}
          onHidden={(next) => setPlace({ hidden: next })}
        />
        <BusyPeople emails={place.busy} query={busy} view={place.view} onChange={(next) => setPlace({ busy: next })} />
        <ZoneChooser zone={zone} onChange={(next) => setPlace({ zone: next })} />
      </div>
      <section className="card cal-main" aria-label="Calendar">
        <Toolbar
          {...{ place, title, today, setPlace }}
          onCreate={usual && (() => create(nextHour(place.date === today ? undefined : place.date, zone)))}
        />
        <Grid
          place={place}
          events={inputs}
          canCreate={usual !== undefined}
          onRange={onRange}
          onOpen={(id, calendar) => setPlace({ event: { id, calendar } })}
          onPick={(placed) => create(clockOfPlaced(placed, zone))}
          onMove={(id, calendar, placed) => {
            const event = found(id, calendar)
            if (event) begin(event, placed)
          }}
          onDay={(date) => setPlace({ view: 'day', date })}
        />
      </section>
      {dialogs}
      {begun && (
        <EventForm
          {...{ account, calendars, zone }}
          editing={begun}
          onClose={() => setBegun(undefined)}
          onDone={() => setBegun(undefined)}
        />
      )}
      {open && (
        <EventDetails
          key={open.id}
          {...{ account, calendars, zone, open }}
          listed={found(open.id, open.calendar)}
          onClose={() => setPlace({ event: undefined })}
        />
      )}
    </div>
  )
}

function AccountCalendars({ application, grant }: { application: string; grant: Grant }) {
  const account = useMemo(() => ({ application, grant }), [application, grant])
  const calendars = useCalendars(account)
  return (
    <Loaded query={calendars} lines={10}>
      {(found) =>
        found.length === 0 ? <NoCalendars account={account} /> : <Calendars account={account} calendars={found} />
      }
    </Loaded>
  )
}

export function CalendarPage({ application, id }: { application: string; id: string }) {
  return (
    <GrantData application={application} id={id} current="calendar">
      {(grant) => <AccountCalendars application={application} grant={grant} />}
    </GrantData>
  )
}
