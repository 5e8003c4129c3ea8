/** The calendar file of a booking (RFC 5545), made in the browser. */
export interface CalendarEntry {
  uid: string
  title: string
  start: number
  end: number
  location: string
  description: string
}

/** Such as 20261118T100000Z. */
export const stampOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(/[-:]|\.\d{3}/g, '')

const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r\n|\r|\n/g, '\\n')

/** Folds a line after 75 bytes at most, between characters (RFC 5545 §3.1). */
function folded(line: string): string {
  const encoder = new TextEncoder()
  let size = 0
  let text = ''
  for (const character of line) {
    const bytes = encoder.encode(character).length
    if (size + bytes > 74) {
      text += '\r\n '
      size = 0
    }
    text += character
    size += bytes
  }
  return text
}

export function icsOf({ uid, title, start, end, location, description }: CalendarEntry, now: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Waypost//Booking page//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${escaped(uid)}`,
    `DTSTAMP:${stampOf(now)}`,
    `DTSTART:${stampOf(start)}`,
    `DTEND:${stampOf(end)}`,
    `SUMMARY:${escaped(title)}`,
    ...(location ? [`LOCATION:${escaped(location)}`] : []),
    ...(description ? [`DESCRIPTION:${escaped(description)}`] : []),
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

export const googleLink = ({ title, start, end, location, description }: CalendarEntry): string =>
  `https://calendar.google.com/calendar/render?${new URLSearchParams({
    action: 'TEMPLATE',
    text: title,
    dates: `${stampOf(start)}/${stampOf(end)}`,
    location,
    details: description,
  })}`

export const outlookLink = ({ title, start, end, location, description }: CalendarEntry): string =>
  `https://outlook.live.com/calendar/0/action/compose?${new URLSearchParams({
    allday: 'false',
    subject: title,
    startdt: new Date(start * 1000).toISOString(),
    enddt: new Date(end * 1000).toISOString(),
    location,
    body: description,
  })}`
