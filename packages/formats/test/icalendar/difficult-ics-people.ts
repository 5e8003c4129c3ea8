/** Organizers, guests and rooms. */
import { type DifficultIcs, single } from './making-ics.ts'

const when = ['DTSTART:20260701T100000Z', 'DTEND:20260701T110000Z', 'SUMMARY:Meeting']
const host = 'ORGANIZER;CN=Ada Byron:mailto:ada@example.com'
const guest = (email: string | undefined, more: object = {}) => ({
  ...(email === undefined ? {} : { email }),
  name: null,
  comment: null,
  phone_number: null,
  status: 'noreply' as const,
  ...more,
})
const invited = (
  name: string,
  lines: string[],
  participants: ReturnType<typeof guest>[],
  more: object = {},
): DifficultIcs =>
  single(name, [...when, host, ...lines], {
    fields: { participants, ...more },
    ...(name.includes('never closed') ? { noOracle: 'ical.js refuses it' } : {}),
  })

export const difficultPeople: DifficultIcs[] = [
  invited(
    'MAILTO in capitals',
    ['ATTENDEE;PARTSTAT=ACCEPTED:MAILTO:Bob@Example.COM'],
    [guest('Bob@Example.COM', { status: 'yes' })],
  ),
  invited('a value without mailto', ['ATTENDEE:bob@example.com'], [guest('bob@example.com')]),
  invited(
    'an address in EMAIL, and a path as the value',
    ['ATTENDEE;CN=Bob;EMAIL=bob@example.com:/principals/users/17/'],
    [guest('bob@example.com', { name: 'Bob' })],
  ),
  invited(
    'a urn as the value',
    ['ATTENDEE;CN=Bob;EMAIL=bob@example.com:urn:uuid:5f0a4b34-9d2f-4c4e-8f1a-1d2c3b4a5968'],
    [guest('bob@example.com', { name: 'Bob' })],
  ),
  invited('an address nobody has', ['ATTENDEE;CN=Bob:invalid:nomail'], [guest(undefined, { name: 'Bob' })]),
  invited(
    'the address in place of the name',
    ['ATTENDEE;CN=bob@example.com:mailto:bob@example.com'],
    [guest('bob@example.com')],
  ),
  invited(
    'an address that is encoded',
    ['ATTENDEE:mailto:bob%2Bcalendar@example.com'],
    [guest('bob+calendar@example.com')],
  ),
  invited(
    'a name with marks in quotes',
    ['ATTENDEE;CN="Bob; the one, with: marks":mailto:bob@example.com'],
    [guest('bob@example.com', { name: 'Bob; the one, with: marks' })],
  ),
  invited(
    'a name with the codes of RFC 6868',
    ['ATTENDEE;CN="Bob ^\'the^\' ^^ Builder":mailto:bob@example.com'],
    [guest('bob@example.com', { name: 'Bob "the" ^ Builder' })],
  ),
  invited(
    'a quote that is never closed',
    ['ATTENDEE;CN="Bob;PARTSTAT=DECLINED:mailto:bob@example.com'],
    [guest('bob@example.com', { name: 'Bob', status: 'no' })],
  ),
  invited(
    'an address without quotes among the parameters',
    ['ATTENDEE;SENT-BY=mailto:eve@example.com;CN=Bob:mailto:bob@example.com'],
    [guest('bob@example.com')],
  ),
  invited(
    'all answers that there are',
    ['ACCEPTED', 'DECLINED', 'TENTATIVE', 'NEEDS-ACTION', 'DELEGATED', 'COMPLETED', 'X-ASLEEP', 'accepted'].map(
      (answer, index) => `ATTENDEE;PARTSTAT=${answer}:mailto:g${index}@example.com`,
    ),
    ['yes', 'no', 'maybe', 'noreply', 'no', 'noreply', 'noreply', 'yes'].map((status, index) =>
      guest(`g${index}@example.com`, { status }),
    ),
  ),
  invited(
    'rooms and equipment',
    [
      'ATTENDEE;CUTYPE=ROOM;CN=Blue:mailto:blue@example.com',
      'ATTENDEE;CUTYPE=RESOURCE;CN=Beamer:mailto:beamer@example.com',
      'ATTENDEE:mailto:bob@example.com',
    ],
    [guest('bob@example.com')],
    {
      resources: [
        { email: 'blue@example.com', name: 'Blue' },
        { email: 'beamer@example.com', name: 'Beamer' },
      ],
    },
  ),
  invited(
    'groups and unknown kinds are people',
    [
      'ATTENDEE;CUTYPE=GROUP;MEMBER="mailto:all@example.com":mailto:team@example.com',
      'ATTENDEE;CUTYPE=X-ROBOT:mailto:robot@example.com',
    ],
    [guest('team@example.com'), guest('robot@example.com')],
  ),
  invited(
    'parameters of servers and of Apple',
    [
      'ATTENDEE;CN=Bob;CUTYPE=INDIVIDUAL;EMAIL=bob@example.com;PARTSTAT=ACCEPTED;SCHEDULE-STATUS="2.0;Success";X-CALENDARSERVER-DTSTAMP=20260601T000000Z;X-NUM-GUESTS=2:mailto:bob@example.com',
    ],
    [guest('bob@example.com', { name: 'Bob', status: 'yes' })],
  ),
  invited(
    'a remark in a parameter',
    ['ATTENDEE;PARTSTAT=TENTATIVE;X-RESPONSE-COMMENT="If the train comes":mailto:bob@example.com'],
    [guest('bob@example.com', { status: 'maybe', comment: 'If the train comes' })],
  ),
  invited(
    'a remark beside the line',
    [
      'ATTENDEE;PARTSTAT=DECLINED:mailto:bob@example.com',
      'X-CALENDARSERVER-ATTENDEE-COMMENT;X-CALENDARSERVER-ATTENDEE-REF="mailto:bob@example.com":Holidays\\, sorry',
    ],
    [guest('bob@example.com', { status: 'no', comment: 'Holidays, sorry' })],
  ),
  invited(
    'delegation',
    [
      'ATTENDEE;PARTSTAT=DELEGATED;DELEGATED-TO="mailto:eve@example.com":mailto:bob@example.com',
      'ATTENDEE;PARTSTAT=ACCEPTED;DELEGATED-FROM="mailto:bob@example.com":mailto:eve@example.com',
    ],
    [guest('bob@example.com', { status: 'no' }), guest('eve@example.com', { status: 'yes' })],
  ),
  invited(
    'the organizer among the guests',
    ['ATTENDEE;CN=Ada Byron;PARTSTAT=ACCEPTED;ROLE=CHAIR:mailto:ada@example.com', 'ATTENDEE:mailto:bob@example.com'],
    [guest('ada@example.com', { name: 'Ada Byron', status: 'yes' }), guest('bob@example.com')],
  ),
  single(
    'an organizer who is a path with the address in CN',
    [...when, 'ORGANIZER;CN=ada@example.com:/aMTYzNTM0/principal/', 'ATTENDEE:mailto:bob@example.com'],
    {
      fields: { organizer: { email: 'ada@example.com', name: null } },
    },
  ),
  single(
    'an organizer who is a path with the address in EMAIL',
    [...when, 'ORGANIZER;CN=Ada;EMAIL=ada@example.com:/aMTYzNTM0/principal/', 'ATTENDEE:mailto:bob@example.com'],
    {
      fields: { organizer: { email: 'ada@example.com', name: 'Ada' } },
    },
  ),
  single(
    'an organizer without an address',
    [...when, 'ORGANIZER;CN=Ada:invalid:nomail', 'ATTENDEE:mailto:bob@example.com'],
    { fields: { organizer: null } },
  ),
  single('guests without an organizer', [...when, 'ATTENDEE:mailto:bob@example.com'], {
    fields: { organizer: null, participants: [guest('bob@example.com')] },
  }),
  invited(
    'letters of other scripts in names, folded in their middle',
    ['ATTENDEE;CN=Борис Годунов и товари\r\n щи из дальних стран:mailto:boris@example.com'],
    [guest('boris@example.com', { name: 'Борис Годунов и товарищи из дальних стран' })],
  ),
]
