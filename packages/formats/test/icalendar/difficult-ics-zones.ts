/** Zones as calendars name and define them. */
import { calendar, type DifficultIcs, outlookZone, single, vevent } from './making-ics.ts'

const berlin = { start: '2026-07-01T08:00:00Z', end: '2026-07-01T09:00:00Z', timezone: 'Europe/Berlin' }
const at = (tzid: string): string[] => [
  `DTSTART;TZID=${tzid}:20260701T100000`,
  `DTEND;TZID=${tzid}:20260701T110000`,
  'SUMMARY:Ten o’clock',
]
const unknownToOracle = 'ical.js knows no zone that the text does not describe'

const standardOnly = (tzid: string, offset: string): string[] => [
  'BEGIN:VTIMEZONE',
  `TZID:${tzid}`,
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  `TZOFFSETFROM:${offset}`,
  `TZOFFSETTO:${offset}`,
  'END:STANDARD',
  'END:VTIMEZONE',
]

export const difficultZones: DifficultIcs[] = [
  single('an IANA name without a VTIMEZONE', at('Europe/Berlin'), { ...berlin, noOracle: unknownToOracle }),
  single('a Windows name without a VTIMEZONE', at('W. Europe Standard Time'), { ...berlin, noOracle: unknownToOracle }),
  calendar(
    'a Windows name with its VTIMEZONE',
    [...outlookZone('W. Europe Standard Time'), ...vevent(...at('W. Europe Standard Time'))],
    berlin,
  ),
  single('a quoted Windows name', at('"W. Europe Standard Time"'), { ...berlin, noOracle: unknownToOracle }),
  calendar(
    'a path that ends in a name, as Mozilla wrote it',
    [
      ...outlookZone('/mozilla.org/20050126_1/Europe/Berlin'),
      ...vevent(...at('/mozilla.org/20050126_1/Europe/Berlin')),
    ],
    berlin,
  ),
  single('a path of three parts at its end', at('/citadel.org/20250101_1/America/Argentina/Ushuaia'), {
    start: '2026-07-01T13:00:00Z',
    end: '2026-07-01T14:00:00Z',
    timezone: 'America/Argentina/Ushuaia',
    noOracle: unknownToOracle,
  }),
  single('a path that ends in a name of one part', at('/freeassociation.sourceforge.net/UTC'), {
    start: '2026-07-01T10:00:00Z',
    end: '2026-07-01T11:00:00Z',
    timezone: 'UTC',
    noOracle: unknownToOracle,
  }),
  single('the address of Microsoft for UTC', at('"tzone://Microsoft/Utc"'), {
    start: '2026-07-01T10:00:00Z',
    end: '2026-07-01T11:00:00Z',
    timezone: 'UTC',
    noOracle: unknownToOracle,
  }),
  calendar(
    'a name of somebody’s own with X-LIC-LOCATION',
    [
      'BEGIN:VTIMEZONE',
      'TZID:Office',
      'X-LIC-LOCATION:Europe/Berlin',
      'BEGIN:STANDARD',
      'DTSTART:19700101T000000',
      'TZOFFSETFROM:+0000',
      'TZOFFSETTO:+0000',
      'END:STANDARD',
      'END:VTIMEZONE',
      ...vevent(...at('Office')),
    ],
    { ...berlin, noOracle: 'X-LIC-LOCATION beats rules that contradict it' },
  ),
  calendar(
    'a name of somebody’s own whose rules are those of a zone',
    [...outlookZone('Customized Time Zone'), ...vevent(...at('Customized Time Zone'))],
    berlin,
  ),
  calendar(
    'rules of a zone in the south',
    [
      'BEGIN:VTIMEZONE',
      'TZID:Down Under',
      'BEGIN:STANDARD',
      'DTSTART:20080406T030000',
      'RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU',
      'TZOFFSETFROM:+1100',
      'TZOFFSETTO:+1000',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:20081005T020000',
      'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=1SU',
      'TZOFFSETFROM:+1000',
      'TZOFFSETTO:+1100',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
      ...vevent(
        'DTSTART;TZID=Down Under:20260115T090000',
        'DTEND;TZID=Down Under:20260115T100000',
        'RRULE:FREQ=MONTHLY;COUNT=5',
      ),
    ],
    {
      timezone: 'Australia/Sydney',
      at: [
        '2026-01-14T22:00:00Z',
        '2026-02-14T22:00:00Z',
        '2026-03-14T22:00:00Z',
        '2026-04-14T23:00:00Z',
        '2026-05-14T23:00:00Z',
      ],
    },
  ),
  calendar(
    'a known name beats rules that are wrong',
    [...outlookZone('Europe/Berlin', { from: '+0500', to: '+0600' }), ...vevent(...at('Europe/Berlin'))],
    {
      ...berlin,
      noOracle: 'ical.js follows the rules',
    },
  ),
  calendar(
    'a known name beats a VTIMEZONE without rules',
    ['BEGIN:VTIMEZONE', 'TZID:Europe/Berlin', 'END:VTIMEZONE', ...vevent(...at('Europe/Berlin'))],
    {
      ...berlin,
      noOracle: 'ical.js takes it for UTC',
    },
  ),
  calendar(
    'an unknown name with a VTIMEZONE without rules is floating',
    ['BEGIN:VTIMEZONE', 'TZID:Nowhere', 'END:VTIMEZONE', ...vevent(...at('Nowhere'))],
    {
      ...berlin,
      noOracle: 'ical.js takes it for UTC',
    },
  ),
  single('an unknown name without a VTIMEZONE is floating', at('Mars/Olympus Mons'), {
    ...berlin,
    noOracle: unknownToOracle,
  }),
  single('an empty TZID is floating', at(''), { ...berlin, noOracle: unknownToOracle }),
  calendar('a fixed offset of whole hours', [...standardOnly('Fixed', '+0300'), ...vevent(...at('Fixed'))], {
    start: '2026-07-01T07:00:00Z',
    end: '2026-07-01T08:00:00Z',
    timezone: 'Etc/GMT-3',
  }),
  calendar('a fixed offset of half an hour', [...standardOnly('IST', '+0530'), ...vevent(...at('IST'))], {
    start: '2026-07-01T04:30:00Z',
    end: '2026-07-01T05:30:00Z',
    timezone: 'Asia/Kolkata',
  }),
  calendar('a fixed offset that no zone has', [...standardOnly('Odd', '+0137'), ...vevent(...at('Odd'))], {
    start: '2026-07-01T08:23:00Z',
    end: '2026-07-01T09:23:00Z',
    timezone: null,
  }),
  calendar(
    'rules that no zone has',
    [
      ...outlookZone('Alien', { from: '+0117', to: '+0217' }),
      ...vevent(
        'DTSTART;TZID=Alien:20260315T090000',
        'DTEND;TZID=Alien:20260315T093000',
        'RRULE:FREQ=WEEKLY;COUNT=3',
        'SUMMARY:Landing',
      ),
    ],
    { timezone: null, at: ['2026-03-15T07:43:00Z', '2026-03-22T07:43:00Z', '2026-03-29T06:43:00Z'] },
  ),
  calendar(
    'an offset whose hours are minutes',
    [
      'BEGIN:VTIMEZONE',
      'TZID:/example.org/Local Mean Time of Berlin',
      'BEGIN:STANDARD',
      'DTSTART:18930401T000000',
      'TZOFFSETFROM:+5328',
      'TZOFFSETTO:+0100',
      'END:STANDARD',
      'END:VTIMEZONE',
      ...vevent(...at('/example.org/Local Mean Time of Berlin')),
    ],
    { start: '2026-07-01T09:00:00Z', end: '2026-07-01T10:00:00Z', noOracle: 'ical.js has no offset of 53 hours' },
  ),
  calendar(
    'onsets one by one in RDATE',
    [
      'BEGIN:VTIMEZONE',
      'TZID:By hand',
      'BEGIN:STANDARD',
      'DTSTART:20251026T030000',
      'RDATE:20261025T030000,20271031T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:20260329T020000',
      'RDATE:20270328T020000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
      ...vevent('DTSTART;TZID=By hand:20260701T100000', 'DTEND;TZID=By hand:20260701T110000'),
    ],
    { start: '2026-07-01T08:00:00Z', end: '2026-07-01T09:00:00Z', noOracle: 'ical.js does not read these onsets' },
  ),
  calendar(
    'a rule of a zone that has ended',
    [
      'BEGIN:VTIMEZONE',
      'TZID:Until last year',
      'BEGIN:STANDARD',
      'DTSTART:20001029T030000',
      'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20251026T010000Z',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:20000326T020000',
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;UNTIL=20250330T010000Z',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
      ...vevent(
        'DTSTART;TZID=Until last year:20250701T100000',
        'DTEND;TZID=Until last year:20250701T110000',
        'RRULE:FREQ=YEARLY;COUNT=2',
      ),
    ],
    { start: '2025-07-01T08:00:00Z', at: ['2026-07-01T09:00:00Z'], timezone: null },
  ),
  single('an offset in the name', at('GMT+0200'), {
    start: '2026-07-01T08:00:00Z',
    end: '2026-07-01T09:00:00Z',
    timezone: 'Etc/GMT-2',
    noOracle: unknownToOracle,
  }),
  single('the words that Outlook shows, with an offset', at('"(UTC-05:00) Eastern Time (US & Canada)"'), {
    start: '2026-07-01T15:00:00Z',
    end: '2026-07-01T16:00:00Z',
    timezone: 'Etc/GMT+5',
    noOracle: unknownToOracle,
  }),
  calendar(
    'two zones, one for each end',
    [
      ...outlookZone('Romance Standard Time'),
      ...vevent(
        'DTSTART;TZID=Romance Standard Time:20260701T100000',
        'DTEND;TZID=America/New_York:20260701T120000',
        'SUMMARY:Flight',
      ),
    ],
    { start: '2026-07-01T08:00:00Z', end: '2026-07-01T16:00:00Z', timezone: 'Europe/Paris', noOracle: unknownToOracle },
  ),
  single(
    'a local time that does not exist',
    ['DTSTART;TZID=Europe/Berlin:20260329T023000', 'DTEND;TZID=Europe/Berlin:20260329T040000'],
    {
      start: '2026-03-29T01:30:00Z',
      end: '2026-03-29T02:00:00Z',
      noOracle: unknownToOracle,
    },
  ),
  single(
    'a local time that comes twice is the first',
    ['DTSTART;TZID=Europe/Berlin:20261025T023000', 'DTEND;TZID=Europe/Berlin:20261025T033000'],
    {
      start: '2026-10-25T00:30:00Z',
      end: '2026-10-25T02:30:00Z',
      noOracle: unknownToOracle,
    },
  ),
]
