/** Objects that break the rules, but exist. */
import { calendar, type DifficultIcs, raw, single, vevent } from './making-ics.ts'

const when = ['DTSTART:20260701T100000Z', 'DTEND:20260701T110000Z']
const times = { start: '2026-07-01T10:00:00Z', end: '2026-07-01T11:00:00Z' }
const lines = (uid: string): string[] => [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//X//Y//EN',
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'DTSTAMP:20260101T000000Z',
  ...when,
  'SUMMARY:Broken',
  'END:VEVENT',
  'END:VCALENDAR',
]
const title = { title: 'Broken' }
const oddEnds = 'ical.js reads only well-formed lines'

export const difficultBroken: DifficultIcs[] = [
  raw(
    'bare line feeds',
    lines('lf@x')
      .map((line) => `${line}\n`)
      .join(''),
    { ...times, fields: title },
  ),
  raw(
    'a byte order mark',
    `\ufeff${lines('bom@x')
      .map((line) => `${line}\r\n`)
      .join('')}`,
    { ...times, fields: title, noOracle: oddEnds },
  ),
  raw('no end of the last line', lines('end@x').join('\r\n'), { ...times, fields: title }),
  raw(
    'blank lines between',
    lines('blank@x')
      .map((line) => `${line}\r\n\r\n`)
      .join(''),
    { ...times, fields: title, noOracle: oddEnds },
  ),
  raw(
    'two carriage returns',
    lines('crcr@x')
      .map((line) => `${line}\r\r\n`)
      .join(''),
    { ...times, fields: title, noOracle: oddEnds },
  ),
  raw(
    'blanks at the ends of lines',
    lines('spaces@x')
      .map((line) => `${line}  \r\n`)
      .join(''),
    { ...times, noOracle: oddEnds },
  ),
  raw(
    'line feeds and carriage returns mixed',
    lines('mixed@x')
      .map((line, index) => `${line}${index % 2 === 0 ? '\n' : '\r\n'}`)
      .join(''),
    { ...times, fields: title },
  ),
  raw(
    'names in small letters',
    lines('small@x')
      .map((line) => `${line.replace(/^[A-Z-]+/, (name) => name.toLowerCase())}\r\n`)
      .join(''),
    { ...times, fields: title },
  ),
  raw('a calendar that breaks off', `${lines('cut@x').slice(0, -2).join('\r\n')}\r\n`, {
    ...times,
    fields: title,
    noOracle: oddEnds,
  }),
  raw(
    'an event that nobody ends',
    `${lines('unended@x')
      .filter((line) => line !== 'END:VEVENT')
      .join('\r\n')}\r\n`,
    { ...times, fields: title, noOracle: oddEnds },
  ),
  raw('ends that nobody began', `${['END:VEVENT', ...lines('extra@x'), 'END:VTODO'].join('\r\n')}\r\n`, {
    ...times,
    fields: title,
    noOracle: oddEnds,
  }),
  raw(
    'words around the calendar',
    `Content-Type: text/calendar\r\n\r\n${lines('around@x').join('\r\n')}\r\n-- \r\nbye\r\n`,
    { ...times, fields: title, noOracle: oddEnds },
  ),
  raw('two calendars in one text', `${[...lines('first@x'), ...lines('second@x')].join('\r\n')}\r\n`, {
    ...times,
    fields: title,
    noOracle: 'there are two',
  }),
  single(
    'lines that are none',
    [...when, 'SUMMARY:Broken', 'this is no line', ':', ';;;', 'X-EMPTY', '=?utf-8?q?huh?='],
    { ...times, fields: title, noOracle: oddEnds },
  ),
  single(
    'a text that goes on in the next line without a fold',
    [...when, 'DESCRIPTION:The first line', 'and the second: here', 'SUMMARY:Broken'],
    { ...times, fields: { ...title, description: 'The first line' }, noOracle: oddEnds },
  ),
  single('a name that is folded', [...when, 'SUMM\r\n ARY:Broken', 'DESC\r\n RIPTION:Still'], {
    ...times,
    fields: { ...title, description: 'Still' },
  }),
  single(
    'two DTSTAMPs, and a CREATED of the year 0',
    [
      'DTSTAMP:20260102T000000Z',
      'CREATED:00001231T000000Z',
      'LAST-MODIFIED:20260103T000000Z',
      ...when,
      'SUMMARY:Broken',
    ],
    { ...times, fields: { ...title, created_at: null, updated_at: 1767398400 } },
  ),
  single('two titles', [...when, 'SUMMARY:Broken', 'SUMMARY:Again'], { ...times, fields: title }),
  single('parameters without values', [...when, 'SUMMARY;LANGUAGE;X-A=;=b:Broken'], {
    ...times,
    fields: title,
    noOracle: oddEnds,
  }),
  single(
    'a colon within a parameter',
    ['DTSTART;X-VOBJ-ORIGINAL-TZID="a:b";VALUE=DATE-TIME:20260701T100000Z', 'DTEND:20260701T110000Z', 'SUMMARY:Broken'],
    { ...times, fields: title },
  ),
  single('a SEQUENCE that is no number', [...when, 'SEQUENCE:many', 'SUMMARY:Broken'], {
    ...times,
    fields: { ...title, sequence: 0 },
    noOracle: oddEnds,
  }),
  calendar(
    'events in events',
    ['BEGIN:VEVENT', 'UID:%UID%', ...when, 'BEGIN:VEVENT', 'UID:inner@x', 'END:VEVENT', 'SUMMARY:Broken', 'END:VEVENT'],
    { ...times, fields: title },
  ),
  raw('an empty UID', `${lines('').join('\r\n')}\r\n`, { ...times, fields: { ...title, ical_uid: '' } }),
  raw('nothing', '', { unreadable: true }),
  raw('a page of HTML', '<!DOCTYPE html><html><body>Sign in: <a href="/">here</a></body></html>', { unreadable: true }),
  calendar('no event, but a task', ['BEGIN:VTODO', 'UID:%UID%', 'SUMMARY:Do', 'END:VTODO'], { unreadable: true }),
  calendar(
    'a value of 100,000 signs',
    vevent(...when, `DESCRIPTION:${'0123456789'.repeat(10_000)}`, 'SUMMARY:Broken'),
    { ...times, fields: title },
  ),
]
