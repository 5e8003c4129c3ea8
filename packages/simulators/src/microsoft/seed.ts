// A simulated Microsoft for development: two users of one organization who know each other, and one personal account.
import { DAY, hour, letters, seededToken } from '../shared/seed.ts'
import type { SimulatedAccount } from './account.ts'
import { type MicrosoftOptions, type MicrosoftSimulator, startMicrosoft } from './simulator.ts'

/** The scopes for the application of a first installation. */
const scopes = [
  'openid',
  'profile',
  'email',
  'offline_access',
  'User.Read',
  'Mail.ReadWrite',
  'Mail.Send',
  'Calendars.ReadWrite',
  'Contacts.ReadWrite',
]

/**
 * Starts a simulated Microsoft with `ada@contoso.example`, `grace@contoso.example` and the personal
 * `ada@outlook.example`.
 */
export async function seededMicrosoft(options: MicrosoftOptions = {}): Promise<MicrosoftSimulator> {
  const microsoft = await startMicrosoft(options)
  const now = (options.now ?? Date.now)()
  const london = 'Europe/London'
  const ada = microsoft.addAccount({
    email: 'ada@contoso.example',
    name: 'Ada Lovelace',
    timezone: london,
    isAdministrator: true,
  })
  const grace = microsoft.addAccount({
    email: 'grace@contoso.example',
    name: 'Grace Hopper',
    timezone: 'America/New_York',
  })
  const home = microsoft.addAccount({
    email: 'ada@outlook.example',
    name: 'Ada at home',
    timezone: london,
    kind: 'personal',
  })
  for (const { email } of [ada, grace, home]) microsoft.grantToken(email, scopes, { refreshToken: seededToken(email) })
  for (const { from, to, source, at } of letters(ada, grace, now)) {
    from.mail.deliver(source, { at, folder: 'sentitems', isRead: true })
    to.mail.deliver(source, { at })
  }
  microsoft.addRoomList({ email: 'main@contoso.example', name: 'Main building' })
  const building = { building: 'Main building', list: 'main@contoso.example' }
  microsoft.addRoom({ email: 'library@contoso.example', name: 'Library', capacity: 12, floorNumber: 1, ...building })
  microsoft.addRoom({ email: 'hall@contoso.example', name: 'Engine hall', capacity: 40, floorNumber: 2, ...building })
  seedEvents(ada, grace, now)
  for (const [account, friend] of [
    [ada, grace],
    [grace, ada],
  ] as const) {
    const [givenName, surname] = friend.name.split(' ')
    const emailAddresses = [{ name: friend.name, address: friend.email }]
    account.contacts.addContact({ givenName, surname, emailAddresses })
  }
  return microsoft
}

function seedEvents(ada: SimulatedAccount, grace: SimulatedAccount, now: number): void {
  const nextHour = Math.ceil(now / hour) * hour
  const at = (ms: number) => ({ dateTime: new Date(ms).toISOString().slice(0, 19), timeZone: 'UTC' })
  ada.calendar.addEvent({
    subject: 'Talk about note G',
    start: at(nextHour + DAY),
    end: at(nextHour + DAY + hour),
    attendees: [{ type: 'required', emailAddress: { name: grace.name, address: grace.email } }],
  })
  ada.calendar.addEvent({
    subject: 'Analytical Society',
    start: at(nextHour + 3 * DAY),
    end: at(nextHour + 3 * DAY + 2 * hour),
  })
}
