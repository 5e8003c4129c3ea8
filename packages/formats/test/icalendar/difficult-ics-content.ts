/** Texts, alarms, conferences, and everything that we do not support. */
import { calendar, type DifficultIcs, single, vevent } from './making-ics.ts'

const when = ['DTSTART:20260701T100000Z', 'DTEND:20260701T110000Z']
const alarm = (...lines: string[]): string[] => ['BEGIN:VALARM', ...lines, 'END:VALARM']
const reminders = (...overrides: [number, 'display' | 'sound' | 'email'][]) => ({
  reminders: {
    use_default: false,
    overrides: overrides.map(([reminder_minutes, reminder_method]) => ({ reminder_minutes, reminder_method })),
  },
})
const content = (name: string, lines: string[], fields: DifficultIcs['fields'] = {}): DifficultIcs =>
  single(name, [...when, ...lines], { fields })

export const difficultContent: DifficultIcs[] = [
  content('escapes of all kinds', ['SUMMARY:One\\, two\\; three\\\\ four\\nfive\\Nsix \\x'], {
    title: 'One, two; three\\ four\nfive\nsix x',
  }),
  content(
    'commas and semicolons that nobody escaped',
    ['SUMMARY:One, two; three', 'LOCATION:Here; there, or: everywhere'],
    { title: 'One, two; three', location: 'Here; there, or: everywhere' },
  ),
  content('a text folded in the middle of an escape', ['SUMMARY:One\\\r\n ntwo\\\r\n , three'], {
    title: 'One\ntwo, three',
  }),
  content('folds with tabs, and a fold at once', ['SUMMARY:\r\n\tOne\r\n\t two\r\n  three'], {
    title: 'One two three',
  }),
  content(
    'texts with languages and other parameters',
    ['SUMMARY;LANGUAGE=de;X-NOTE="a:b;c":Besprechung', 'DESCRIPTION;ALTREP="cid:part1.0001@example.org":Worum es geht'],
    { title: 'Besprechung', description: 'Worum es geht' },
  ),
  content('empty texts', ['SUMMARY:', 'DESCRIPTION:', 'LOCATION:'], { title: null, description: null, location: null }),
  content('signs beyond the basic plane', ['SUMMARY:🎉 Party 👩‍👩‍👧 \u200d end', 'LOCATION:東京都千代田区'], {
    title: '🎉 Party 👩‍👩‍👧 \u200d end',
    location: '東京都千代田区',
  }),
  content(
    'HTML beside the text',
    ['DESCRIPTION:Hello\\nworld', 'X-ALT-DESC;FMTTYPE=text/html:<p>Hello</p><p>world</p>'],
    { description: '<p>Hello</p><p>world</p>' },
  ),
  content(
    'HTML that says something else',
    ['DESCRIPTION:New words', 'X-ALT-DESC;FMTTYPE=text/html:<html><body><p>Old words</p></body></html>'],
    { description: 'New words' },
  ),
  content(
    'several alarms',
    [
      ...alarm('ACTION:DISPLAY', 'TRIGGER:-PT15M', 'DESCRIPTION:Soon'),
      ...alarm('ACTION:AUDIO', 'TRIGGER:-P1D'),
      ...alarm('ACTION:EMAIL', 'TRIGGER:-PT1H', 'SUMMARY:S', 'DESCRIPTION:D', 'ATTENDEE:mailto:me@example.com'),
    ],
    reminders([15, 'display'], [1440, 'sound'], [60, 'email']),
  ),
  content(
    'an alarm at a moment',
    alarm('ACTION:DISPLAY', 'TRIGGER;VALUE=DATE-TIME:20260701T093000Z', 'DESCRIPTION:Now'),
    reminders([30, 'display']),
  ),
  content(
    'an alarm by the end',
    alarm('ACTION:DISPLAY', 'TRIGGER;RELATED=END:-PT90M', 'DESCRIPTION:Now'),
    reminders([30, 'display']),
  ),
  content('an alarm after the start', alarm('ACTION:DISPLAY', 'TRIGGER:PT5M', 'DESCRIPTION:Late'), reminders()),
  content(
    'an alarm that was acknowledged and put off',
    [
      ...alarm(
        'UID:A1',
        'ACTION:DISPLAY',
        'TRIGGER:-PT15M',
        'ACKNOWLEDGED:20260601T000000Z',
        'X-MOZ-LASTACK:20260601T000000Z',
        'DESCRIPTION:Seen',
      ),
      ...alarm(
        'UID:A2',
        'RELATED-TO;RELTYPE=SNOOZE:A1',
        'ACTION:DISPLAY',
        'TRIGGER;VALUE=DATE-TIME:20260701T095500Z',
        'DESCRIPTION:Again',
      ),
    ],
    reminders([15, 'display']),
  ),
  content(
    'an empty alarm, and one of Apple’s that does nothing',
    [...alarm(), ...alarm('ACTION:NONE', 'TRIGGER;VALUE=DATE-TIME:19760401T005545Z', 'X-APPLE-DEFAULT-ALARM:TRUE')],
    reminders(),
  ),
  content(
    'an alarm with repetitions and a procedure',
    [
      ...alarm('ACTION:DISPLAY', 'TRIGGER:-PT30M', 'REPEAT:3', 'DURATION:PT5M', 'DESCRIPTION:D'),
      ...alarm('ACTION:PROCEDURE', 'TRIGGER:-PT5M', 'ATTACH;FMTTYPE=application/binary:ftp://example.com/do'),
    ],
    reminders([30, 'display']),
  ),
  content(
    'CONFERENCE with a label',
    [
      'CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO;LABEL=Standup:https://meet.example.com/standup',
      'CONFERENCE;VALUE=URI;FEATURE=PHONE;LABEL=Dial in:tel:+1-412-555-0123,,,654321',
    ],
    {
      conferencing: {
        provider: 'Standup',
        details: { url: 'https://meet.example.com/standup', phone: ['+1-412-555-0123,,,654321'] },
      },
    },
  ),
  content('Google’s conference', ['X-GOOGLE-CONFERENCE:https://meet.google.com/abc-defg-hij'], {
    conferencing: { provider: 'Google Meet', details: { url: 'https://meet.google.com/abc-defg-hij' } },
  }),
  content(
    'Microsoft’s conference',
    [
      'X-MICROSOFT-SKYPETEAMSMEETINGURL:https://teams.microsoft.com/l/meetup-join/19%3ameeting_x/0?context=%7b%7d',
      'X-MICROSOFT-ONLINEMEETINGCONFERENCEID:123',
    ],
    {
      conferencing: {
        provider: 'Microsoft Teams',
        details: { url: 'https://teams.microsoft.com/l/meetup-join/19%3ameeting_x/0?context=%7b%7d' },
      },
    },
  ),
  content('a way to join in the place', ['LOCATION:https://example.zoom.us/j/123456789?pwd=x'], {
    conferencing: { provider: 'Zoom Meeting', details: { url: 'https://example.zoom.us/j/123456789?pwd=x' } },
  }),
  content('a link that is no way to join', ['URL:https://example.com/agenda'], {}),
  content('how it is shown', ['CLASS:CONFIDENTIAL', 'TRANSP:TRANSPARENT', 'STATUS:TENTATIVE', 'PRIORITY:1'], {
    visibility: 'private',
    busy: false,
    status: 'maybe',
  }),
  content(
    'free in the word of Microsoft alone',
    ['X-MICROSOFT-CDO-BUSYSTATUS:FREE', 'X-MICROSOFT-CDO-INTENDEDSTATUS:BUSY', 'CLASS:PUBLIC'],
    { busy: false, visibility: 'public' },
  ),
  content(
    'what Apple adds',
    [
      'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="Pariser Platz\\nBerlin";X-APPLE-RADIUS=70;X-TITLE=Tor:geo:52.516275,13.377704',
      'X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC',
      'X-APPLE-TRAVEL-DURATION;VALUE=DURATION:PT45M',
      'LOCATION:Tor',
    ],
    { location: 'Tor' },
  ),
  content(
    'categories, attachments, relations and contacts',
    [
      'CATEGORIES:WORK,Key\\, accounts',
      'CATEGORIES:TRAVEL',
      'ATTACH;FMTTYPE=application/pdf;FILENAME=plan.pdf;MANAGED-ID=97S:https://example.com/plan.pdf',
      'ATTACH;ENCODING=BASE64;VALUE=BINARY;FMTTYPE=text/plain:SGVsbG8sIHdvcmxkIQ==',
      'RELATED-TO;RELTYPE=PARENT:parent@example.com',
      'CONTACT;ALTREP="ldap://example.com:6666/o=x":Jim Dolittle\\, ABC Industries',
      'RESOURCES:EASEL,PROJECTOR',
      'GEO:37.386013;-122.082932',
      'COLOR:turquoise',
      'IMAGE;VALUE=URI;DISPLAY=BADGE;FMTTYPE=image/png:https://example.com/b.png',
      'REQUEST-STATUS:2.8;Success\\, repeating event ignored',
      'SUMMARY:Everything',
    ],
    { title: 'Everything' },
  ),
  calendar(
    'other components in the same calendar',
    [
      'X-WR-CALNAME:Mine',
      'REFRESH-INTERVAL;VALUE=DURATION:P1D',
      'BEGIN:VTODO',
      'UID:todo-1',
      'SUMMARY:Not ours',
      'END:VTODO',
      ...vevent(...when, 'SUMMARY:Ours'),
      'BEGIN:VJOURNAL',
      'UID:journal-1',
      'DESCRIPTION:Dear diary',
      'END:VJOURNAL',
      'BEGIN:X-COMPONENT',
      'X-ANYTHING;X-P=1:goes',
      'END:X-COMPONENT',
      'BEGIN:VAVAILABILITY',
      'BEGIN:AVAILABLE',
      'SUMMARY:Monday',
      'END:AVAILABLE',
      'END:VAVAILABILITY',
    ],
    { fields: { title: 'Ours' } },
  ),
  content(
    'components within the event',
    [
      'SUMMARY:Place',
      'BEGIN:VLOCATION',
      'UID:l1',
      'NAME:The venue',
      'SUMMARY:Not the title',
      'END:VLOCATION',
      'BEGIN:PARTICIPANT',
      'UID:p1',
      'ATTENDEE:mailto:not@example.com',
      'END:PARTICIPANT',
    ],
    { title: 'Place', participants: [] },
  ),
  calendar('a METHOD that does not belong there', ['METHOD:REQUEST', ...vevent(...when, 'SUMMARY:Stored')], {
    fields: { title: 'Stored' },
  }),
  calendar(
    'several events of other UIDs',
    [
      ...vevent(...when, 'SUMMARY:First'),
      'BEGIN:VEVENT',
      'UID:another@example.com',
      'DTSTAMP:20260101T000000Z',
      ...when,
      'SUMMARY:Second',
      'END:VEVENT',
    ],
    { fields: { title: 'First' } },
  ),
]
