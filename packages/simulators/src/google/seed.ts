// A simulated Google for development: two users who know each other, with some mail, events, contacts and rooms.
import { DAY, hour, letters, seededToken } from '../shared/seed.ts'
import type { SimulatedAccount } from './account.ts'
import { type GoogleOptions, type GoogleSimulator, startGoogle } from './simulator.ts'

const root = 'https://www.googleapis.com/auth/'
/** The scopes for the application of a first installation, without permanent deletion of mail. */
const scopes = [
  'openid',
  `${root}userinfo.email`,
  `${root}userinfo.profile`,
  `${root}gmail.modify`,
  `${root}gmail.send`,
  `${root}calendar`,
  `${root}contacts`,
]

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

/** Adds the messages to both mailboxes. */
function seedMail(ada: SimulatedAccount, grace: SimulatedAccount, now: number): void {
  for (const { from, to, source, at } of letters(ada, grace, now)) {
    from.mail.deliver(source, { at, labels: ['SENT'] })
    to.mail.deliver(source, { at })
  }
}

function seedEvents(ada: SimulatedAccount, now: number): void {
  const nextHour = Math.ceil(now / hour) * hour
  ada.calendar.addEvent({
    summary: 'Talk about note G',
    start: { dateTime: new Date(nextHour + DAY).toISOString() },
    end: { dateTime: new Date(nextHour + DAY + hour).toISOString() },
    attendees: [{ email: 'grace@example.com' }],
  })
  ada.calendar.addEvent({
    summary: 'Analytical Society',
    start: { dateTime: new Date(nextHour + 3 * DAY).toISOString() },
    end: { dateTime: new Date(nextHour + 3 * DAY + 2 * hour).toISOString() },
  })
}
