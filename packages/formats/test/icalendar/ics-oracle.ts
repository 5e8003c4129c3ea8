/** ical.js as an independent parser of calendar objects: their starts, ends and occurrences. */
import ICAL from 'ical.js'
import { instantOf } from './ics-times.ts'

export interface OracleReading {
  start: string
  end: string
  at: string[]
}

const digits = (value: number, size = 2): string => String(value).padStart(size, '0')

/** An ISO time, or the date of a day; floating times are those of the zone. */
function shown(time: ICAL.Time, zone: string): string {
  const date = `${digits(time.year, 4)}-${digits(time.month)}-${digits(time.day)}`
  if (time.isDate) return date
  if (time.zone?.tzid === 'floating') {
    return instantOf(`${date}T${digits(time.hour)}:${digits(time.minute)}:${digits(time.second)}`, zone)
  }
  return new Date(time.toUnixTime() * 1000).toISOString().replace('.000Z', 'Z')
}

function dayBefore(time: ICAL.Time): ICAL.Time {
  const day = time.clone()
  day.adjust(-1, 0, 0, 0)
  return day
}

/** The occurrences of ical.js in 2026. */
export function oracleReading(text: string, zone: string): OracleReading {
  const root = new ICAL.Component(ICAL.parse(text))
  const events = root.getAllSubcomponents('vevent')
  const main = events.find((event) => !event.hasProperty('recurrence-id'))
  if (!main) throw new Error('no master')
  const event = new ICAL.Event(main, { exceptions: events.filter((one) => one.hasProperty('recurrence-id')) })
  const end = event.endDate
  const last = end.isDate && end.compare(event.startDate) > 0 ? dayBefore(end) : end
  const at: string[] = []
  if (!event.isRecurring()) at.push(shown(event.startDate, zone))
  else {
    const iterator = event.iterator()
    for (
      let next = iterator.next(), count = 0;
      next && count < 2000 && next.year < 2027;
      next = iterator.next(), count++
    ) {
      at.push(shown(event.getOccurrenceDetails(next).startDate, zone))
    }
  }
  return {
    start: shown(event.startDate, zone),
    end: shown(last, zone),
    at: at.filter((one) => one.startsWith('2026')).sort(),
  }
}
