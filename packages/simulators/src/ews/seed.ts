// A simulated Exchange for development: two users of one organization who know each other.
import { DAY, hour, letters } from '../shared/seed.ts'
import type { SimulatedAccount } from './account.ts'
import { type ExchangeOptions, type ExchangeSimulator, startExchange } from './simulator.ts'

/** The password of every seeded account. */
export const seededPassword = 'simulated-password'

/** Starts a simulated Exchange with `ada@exchange.example` and `grace@exchange.example`, password `simulated-password`. */
export async function seededExchange(options: ExchangeOptions = {}): Promise<ExchangeSimulator> {
  const exchange = await startExchange(options)
  const now = (options.now ?? Date.now)()
  const password = seededPassword
  const ada = exchange.addAccount({
    email: 'ada@exchange.example',
    name: 'Ada Lovelace',
    password,
    timezone: 'Europe/London',
  })
  const grace = exchange.addAccount({
    email: 'grace@exchange.example',
    name: 'Grace Hopper',
    password,
    timezone: 'America/New_York',
  })
  for (const { from, to, source, at } of letters(ada, grace, now)) {
    from.mail.deliver(source, { at, folder: 'sentitems', isRead: true })
    to.mail.deliver(source, { at })
  }
  exchange.addRoomList({ email: 'main@exchange.example', name: 'Main building' })
  exchange.addRoom({ email: 'library@exchange.example', name: 'Library', list: 'main@exchange.example' })
  exchange.addRoom({ email: 'hall@exchange.example', name: 'Engine hall', list: 'main@exchange.example' })
  seedEvents(ada, grace, now)
  for (const [account, friend] of [
    [ada, grace],
    [grace, ada],
  ] as const) {
    const [GivenName = '', Surname = ''] = friend.name.split(' ')
    const EmailAddresses = { Entry: { '@Key': 'EmailAddress1', '#': friend.email } }
    account.contacts.addContact({ GivenName, Surname, DisplayName: friend.name, EmailAddresses })
  }
  return exchange
}

function seedEvents(ada: SimulatedAccount, grace: SimulatedAccount, now: number): void {
  const nextHour = Math.ceil(now / hour) * hour
  const at = (ms: number) => new Date(ms).toISOString()
  ada.calendar.addEvent({
    Subject: 'Talk about note G',
    Start: at(nextHour + DAY),
    End: at(nextHour + DAY + hour),
    RequiredAttendees: { Attendee: { Mailbox: { Name: grace.name, EmailAddress: grace.email } } },
  })
  ada.calendar.addEvent({
    Subject: 'Analytical Society',
    Start: at(nextHour + 3 * DAY),
    End: at(nextHour + 3 * DAY + 2 * hour),
  })
}
