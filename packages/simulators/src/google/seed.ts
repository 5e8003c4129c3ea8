// A simulated Google to develop against: two users who know each other, with some mail, events, contacts and rooms.
import type { SimulatedAccount } from './account.ts'
import { type GoogleOptions, type GoogleSimulator, startGoogle } from './simulator.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const root = 'https://www.googleapis.com/auth/'
/** What a first installation's own application may be granted: not the right to destroy mail. */
const scopes = [
  'openid',
  `${root}userinfo.email`,
  `${root}userinfo.profile`,
  `${root}gmail.modify`,
  `${root}gmail.send`,
  `${root}calendar`,
  `${root}contacts`,
]

/** The refresh token that a seeded account has from the beginning, the same at every start. */
export const seededToken = (email: string): string => `simulated-refresh-token-of-${email}`

/** Starts a simulated Google with two accounts, `ada@example.com` and `grace@example.com`. */
export async function seededGoogle(options: GoogleOptions = {}): Promise<GoogleSimulator> {
  const google = await startGoogle(options)
  const now = (options.now ?? Date.now)()
  const ada = google.addAccount({ email: 'ada@example.com', name: 'Ada Lovelace', timezone: 'Europe/London' })
  const grace = google.addAccount({ email: 'grace@example.com', name: 'Grace Hopper', timezone: 'America/New_York' })
  seedMail(ada, grace, now)
  seedEvents(ada, now)
  const building = { id: 'main', name: 'Main building' }
  google.addRoom({ domain: 'example.com', name: 'Library', capacity: 12, building, floorName: '1' })
  google.addRoom({ domain: 'example.com', name: 'Engine hall', capacity: 40, building, floorName: '2' })
  for (const [account, friend] of [
    [ada, grace],
    [grace, ada],
  ] as const) {
    const [givenName, familyName] = friend.name.split(' ')
    google.grantToken(account.email, scopes, { refreshToken: seededToken(account.email) })
    account.contacts.addContact({ names: [{ givenName, familyName }], emailAddresses: [{ value: friend.email }] })
  }
  return google
}

interface SeedMessage {
  readonly from: SimulatedAccount
  readonly to: SimulatedAccount
  readonly subject: string
  readonly text: string
  readonly at: number
  readonly id: string
  readonly inReplyTo?: string
}

function seedMail(ada: SimulatedAccount, grace: SimulatedAccount, now: number): void {
  const subject = 'Notes on the engine'
  exchange({
    from: grace,
    to: ada,
    subject,
    text: 'Dear Ada,\r\n\r\nI have read your notes. When do you have time to talk about note G?\r\n\r\nGrace\r\n',
    at: now - 2 * DAY,
    id: 'seed-1@example.com',
  })
  exchange({
    from: ada,
    to: grace,
    subject: `Re: ${subject}`,
    text: 'Dear Grace,\r\n\r\nTomorrow at ten would suit me.\r\n\r\nAda\r\n',
    at: now - DAY,
    id: 'seed-2@example.com',
    inReplyTo: 'seed-1@example.com',
  })
  exchange({
    from: grace,
    to: ada,
    subject: 'A moth in the relay',
    text: 'The first actual case of a bug being found. I have taped it into the log.\r\n',
    at: now - HOUR,
    id: 'seed-3@example.com',
  })
}

/** Puts a message where both have it. */
function exchange({ from, to, subject, text, at, id, inReplyTo }: SeedMessage): void {
  const source = [
    `Date: ${new Date(at).toUTCString().replace('GMT', '+0000')}`,
    `From: ${from.name} <${from.email}>`,
    `To: ${to.name} <${to.email}>`,
    `Subject: ${subject}`,
    `Message-ID: <${id}>`,
    ...(inReplyTo === undefined ? [] : [`In-Reply-To: <${inReplyTo}>`, `References: <${inReplyTo}>`]),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
  ].join('\r\n')
  from.mail.deliver(source, { at, labels: ['SENT'] })
  to.mail.deliver(source, { at })
}

function seedEvents(ada: SimulatedAccount, now: number): void {
  const nextHour = Math.ceil(now / HOUR) * HOUR
  ada.calendar.addEvent({
    summary: 'Talk about note G',
    start: { dateTime: new Date(nextHour + DAY).toISOString() },
    end: { dateTime: new Date(nextHour + DAY + HOUR).toISOString() },
    attendees: [{ email: 'grace@example.com' }],
  })
  ada.calendar.addEvent({
    summary: 'Analytical Society',
    start: { dateTime: new Date(nextHour + 3 * DAY).toISOString() },
    end: { dateTime: new Date(nextHour + 3 * DAY + 2 * HOUR).toISOString() },
  })
}
