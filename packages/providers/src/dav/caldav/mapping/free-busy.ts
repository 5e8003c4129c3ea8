/** Requests free/busy of other people from a server (RFC 6638 §5), and parses its answer. Pure. */
import { ContentTooLarge, checkText, parseComponents } from '@waypost/formats/icalendar/content-lines'
import { mailto, plain, text, utcTime, write } from '@waypost/formats/icalendar/icalendar'
import { parseBasic } from '@waypost/formats/recurrence/series'
import { newId } from '@waypost/platform/ids'
import { parseXml, type XmlElement, type XmlLimits } from '@waypost/platform/xml/xml'
import { childNamed, childrenNamed } from '../../names.ts'

/** Unix seconds; `now` in milliseconds. */
export interface FreeBusyRequest {
  organizer: string
  attendees: readonly string[]
  from: number
  to: number
  now: number
}

export const freeBusyRequest = ({ organizer, attendees, from, to, now }: FreeBusyRequest): string =>
  write({
    name: 'VCALENDAR',
    properties: [plain('VERSION', '2.0'), text('PRODID', '-//Waypost//Waypost//EN'), plain('METHOD', 'REQUEST')],
    components: [
      {
        name: 'VFREEBUSY',
        properties: [
          plain('UID', newId()),
          utcTime('DTSTAMP', Math.floor(now / 1000)),
          utcTime('DTSTART', from),
          utcTime('DTEND', to),
          plain('ORGANIZER', mailto(organizer)),
          ...attendees.map((email) => plain('ATTENDEE', mailto(email))),
        ],
      },
    ],
  })

export interface BusyPeriod {
  start: number
  end: number
  isTentative: boolean
}

/** The server's answer for one address. */
export type FreeBusyAnswer = { isFound: true; periods: BusyPeriod[] } | { isFound: false; problem: string | undefined }

/** Limits for one response per person, with a few elements each. */
export const freeBusyLimits: XmlLimits = { elements: 10_000, attributes: 10_000, references: 100_000 }
/** More than anyone has in three months. */
const maxPeriods = 5_000

/**
 * Parses a server's answer, by address in lower case. An invalid or oversized part is an error only for its address.
 * Throws an XmlError if the answer is not XML.
 */
export function readFreeBusyResponse(body: Uint8Array): Map<string, FreeBusyAnswer> {
  const root = parseXml(body, freeBusyLimits)
  return new Map(
    childrenNamed(root, 'C:response')
      .slice(0, maxPeople)
      .flatMap((response): [string, FreeBusyAnswer][] => {
        const recipient = addressIn(childNamed(response, 'C:recipient'))
        return recipient === undefined ? [] : [[recipient, reportedOrProblem(response)]]
      }),
  )
}

/** More than a request may contain. */
const maxPeople = 100

function reportedOrProblem(response: XmlElement): FreeBusyAnswer {
  try {
    return reportedIn(response)
  } catch (error) {
    if (!(error instanceof ContentTooLarge)) throw error
    return { isFound: false, problem: 'the calendar server answers with more free/busy times than can be read' }
  }
}

const addressIn = (element: XmlElement | undefined): string | undefined => {
  const href = childNamed(element, 'D:href')?.text.trim() ?? element?.text.trim() ?? ''
  return /^mailto:(.+)$/i.exec(href)?.[1]?.toLowerCase()
}

function reportedIn(response: XmlElement): FreeBusyAnswer {
  const status = childNamed(response, 'C:request-status')?.text.trim() ?? ''
  if (!status.startsWith('2.')) return { isFound: false, problem: problemOf(status) }
  const [calendar] = parseComponents(childNamed(response, 'C:calendar-data')?.text ?? '')
  const found = calendar?.components.find(({ name }) => name === 'VFREEBUSY')
  if (!found) return { isFound: false, problem: 'the calendar server answers with no free/busy times' }
  const periods: BusyPeriod[] = []
  for (const line of found.lines) {
    if (line.name !== 'FREEBUSY') continue
    for (const period of periodsIn(line)) periods.push(period)
    if (periods.length > maxPeriods) throw new ContentTooLarge(`more than ${maxPeriods} periods`)
  }
  return { isFound: true, periods }
}

/** 3.7 means that there is no such user. */
const problemOf = (status: string): string | undefined =>
  status === '' || status.startsWith('3.7') ? undefined : `the calendar server says ${status.slice(0, 200)}`

function periodsIn(line: { value: string; parameter(name: string): string | undefined }): BusyPeriod[] {
  const type = line.parameter('FBTYPE')?.toUpperCase() ?? 'BUSY'
  if (type === 'FREE') return []
  checkText(line.value)
  return line.value.split(',').flatMap((period) => {
    const [first = '', second = ''] = period.trim().split('/')
    const start = instantOf(first)
    const end = start === undefined ? undefined : (instantOf(second) ?? endAfter(start, second))
    return start === undefined || end === undefined || end <= start
      ? []
      : [{ start, end, isTentative: type === 'BUSY-TENTATIVE' }]
  })
}

function instantOf(value: string): number | undefined {
  const time = parseBasic(value.trim().toUpperCase())
  return time?.seconds === undefined ? undefined : time.day * 86_400 + time.seconds
}

function endAfter(start: number, duration: string): number | undefined {
  const found = /^\+?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i.exec(duration.trim())
  if (!found) return undefined
  const [, weeks = 0, days = 0, hours = 0, minutes = 0, secs = 0] = found.map((each) => Number(each ?? 0))
  return start + ((weeks * 7 + days) * 24 + hours) * 3600 + minutes * 60 + secs
}
