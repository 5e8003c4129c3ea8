/** The grid of days and hours, and the list view: FullCalendar with our texts, colors and events. */
import FullCalendar, {
  type CalendarRef,
  type EventApi,
  type EventDisplayInfo,
  type EventInput,
} from '@fullcalendar/react'
import dayGrid from '@fullcalendar/react/daygrid'
import interaction from '@fullcalendar/react/interaction'
import list from '@fullcalendar/react/list'
import '@fullcalendar/react/skeleton.css'
import theme from '@fullcalendar/react/themes/breezy'
import '@fullcalendar/react/themes/breezy/theme.css'
import timeGrid from '@fullcalendar/react/timegrid'
import { useEffect, useRef } from 'react'
import { Icon } from '../../components/icons.tsx'
import type { CalendarPlace, View } from './address.ts'
import type { Range } from './data.ts'
import type { EventPlace } from './when.ts'
import { dateOf, secondsOf, wallOf } from './zones.ts'

const plugins = [dayGrid, timeGrid, list, interaction, theme]
const viewNames: Record<View, string> = {
  month: 'dayGridMonth',
  week: 'timeGridWeek',
  day: 'timeGridDay',
  list: 'listMonth',
}

const clock = { hour: 'numeric', minute: '2-digit', omitZeroMinute: true, meridiem: 'narrow' } as const
/** Day headings show only the names of days. The position of an event shows its end, so only the start is printed. */
const viewOptions = {
  dayGridMonth: { displayEventEnd: false },
  timeGridWeek: {
    navLinks: false,
    displayEventEnd: false,
    titleFormat: { year: 'numeric', month: 'short', day: 'numeric' },
  },
  timeGridDay: { navLinks: false, titleFormat: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' } },
} as const

/** First day of the week in the viewer's locale; 0 is Sunday. */
function firstDayOfWeek(): number {
  const locale = new Intl.Locale(navigator.language) as Intl.Locale & {
    getWeekInfo?(): { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  return ((locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1) % 7
}
const firstDay = firstDayOfWeek()

/** First visible hour: seven, or earlier if there is an earlier event. Empty night hours are hidden. */
function firstHour(events: readonly EventInput[], zone: string): string {
  const hours = events.flatMap(({ allDay, start, end }) => {
    if (allDay || typeof start !== 'number') return []
    const from = wallOf(start / 1000, zone)
    const isLong = typeof end === 'number' && dateOf(wallOf(end / 1000 - 1, zone)) !== dateOf(from)
    return isLong ? [0] : [Number(from.slice(11, 13))]
  })
  return `${String(Math.min(7, ...hours)).padStart(2, '0')}:00`
}

/** The grid's range starts with its first visible hour; events are read from the start of the day. */
const dayStart = (moment: Date, zone: string): number =>
  secondsOf(`${dateOf(wallOf(moment.getTime() / 1000, zone))}T00:00`, zone)

/** Data of a grid event in addition to its time. */
export interface Marks {
  /** Absent for busy times of other people. */
  calendar?: string
  calendarName?: string
  isSeries?: boolean
  isFixed?: boolean
  isFree?: boolean
  isMaybe?: boolean
  isDeclined?: boolean
}

const marksOf = (event: EventApi): Marks => event.extendedProps as Marks

function placedOf({ allDay, start, end, startStr, endStr }: EventSpan): EventPlace {
  return {
    allDay,
    startDate: startStr.slice(0, 10),
    endDate: endStr ? endStr.slice(0, 10) : undefined,
    start: Math.round((start?.getTime() ?? 0) / 1000),
    end: end ? Math.round(end.getTime() / 1000) : undefined,
  }
}
interface EventSpan {
  allDay: boolean
  start: Date | null
  end: Date | null
  startStr: string
  endStr: string
}

function Content({ event, timeText, isShort, view }: EventDisplayInfo) {
  const { isSeries, isFixed, calendarName } = marksOf(event)
  const isColumn = view.type.startsWith('timeGrid') && !event.allDay
  return (
    <span className={`cal-text ${isColumn && !isShort ? 'column' : ''}`}>
      {view.type === 'dayGridMonth' && !event.allDay && <span className="cal-mark" />}
      {timeText && <span className="cal-time">{timeText}</span>}
      <span className="cal-title">{event.title}</span>
      {(isSeries || isFixed) && (
        <span className="cal-icons">
          {isSeries && <Icon name="repeat" />}
          {isFixed && <Icon name="lock" />}
        </span>
      )}
      <span className="hidden">
        {isSeries ? ', repeats' : ''}
        {isFixed ? ', read-only' : ''}
        {calendarName ? `, ${calendarName}` : ''}
      </span>
    </span>
  )
}

const Busy = ({ event }: EventDisplayInfo) => <span className="hidden">{`${event.title} is busy`}</span>

function classOf({ event, view }: EventDisplayInfo): string {
  const { calendar, isFree, isMaybe, isDeclined } = marksOf(event)
  const kinds = { free: isFree, maybe: isMaybe, declined: isDeclined, listed: view.type === 'listMonth' }
  const named = Object.entries(kinds).flatMap(([name, holds]) => (holds ? `cal-${name}` : []))
  return [calendar === undefined ? 'cal-busy' : 'cal-event', ...named].join(' ')
}

export interface GridProps {
  place: CalendarPlace
  events: EventInput[]
  canCreate: boolean
  onRange(range: Range, title: string): void
  onOpen(id: string, calendar: string): void
  onPick(placed: EventPlace): void
  onMove(id: string, calendar: string, placed: EventPlace): void
  onDay(date: string): void
}

export function Grid({ place, events, canCreate, onRange, onOpen, onPick, onMove, onDay }: GridProps) {
  const calendar = useRef<CalendarRef>(null)
  const { view, date, zone } = place
  useEffect(() => {
    // The grid renders synchronously, which is not allowed while React renders.
    queueMicrotask(() => calendar.current?.getApi().changeView(viewNames[view], date))
  }, [view, date])
  const move = ({ event }: { event: EventApi }): void =>
    onMove(event.id, marksOf(event).calendar ?? '', placedOf(event))
  return (
    <FullCalendar
      ref={calendar}
      plugins={plugins}
      headerToolbar={false}
      initialView={viewNames[view]}
      initialDate={date}
      timeZone={zone}
      events={events}
      locale={navigator.language}
      height="auto"
      nowIndicator
      views={viewOptions}
      navLinks
      navLinkDayClick={(day) => onDay(wallOf(day.getTime() / 1000, zone).slice(0, 10))}
      eventInteractive
      editable
      selectable={canCreate}
      selectMirror
      dayMaxEvents={4}
      slotMinTime={firstHour(events, zone)}
      slotDuration="01:00"
      snapDuration="00:15"
      slotMinHeight={44}
      defaultTimedEventDuration="00:30"
      eventTimeFormat={clock}
      slotEventOverlap={false}
      eventMinHeight={22}
      eventShortHeight={40}
      firstDay={firstDay}
      eventClass={classOf}
      columnEventInnerClass="cal-inner"
      eventContent={Content}
      backgroundEventContent={Busy}
      backgroundEventClass={classOf}
      datesSet={({ start, end, view: shown }) =>
        onRange({ start: dayStart(start, zone), end: Math.ceil(end.getTime() / 1000) }, shown.title)
      }
      eventClick={({ event, jsEvent }) => {
        jsEvent.preventDefault()
        const { calendar: of } = marksOf(event)
        if (of !== undefined) onOpen(event.id, of)
      }}
      select={(picked) => onPick(placedOf(picked))}
      eventDrop={move}
      eventResize={move}
    />
  )
}
