// A user of the simulated Google.
import { openCalendar, type SimulatedCalendar } from './calendar/calendar.ts'
import { openMail, type SimulatedMail } from './gmail/mail.ts'
import type { AccountOwner } from './owner.ts'
import { openContacts, type SimulatedContacts } from './people/contacts.ts'
import type { World } from './world.ts'

export interface AccountSeed {
  readonly email: string
  readonly name?: string
  /** IANA name; default `Etc/UTC`. */
  readonly timezone?: string
  readonly aliases?: readonly string[]
}

export interface SimulatedAccount extends AccountOwner {
  readonly mail: SimulatedMail
  readonly calendar: SimulatedCalendar
  readonly contacts: SimulatedContacts
  /** The user revokes the consent given to one client, or to all clients: their tokens end. */
  revokeConsent(clientId?: string): void
  /** The user changes the password: refresh tokens with a Gmail scope end, as at Google. */
  changePassword(): void
}

export type ConsentControls = Pick<SimulatedAccount, 'revokeConsent' | 'changePassword'>

export function createAccount(
  seed: AccountSeed,
  world: World,
  controls: (sub: string) => ConsentControls,
): SimulatedAccount {
  const owner = {
    email: seed.email,
    sub: (10n ** 20n + BigInt(world.accounts.size + 1) * 7_919_000_000_003n).toString(),
    name: seed.name ?? seed.email.slice(0, seed.email.indexOf('@')),
    timezone: seed.timezone ?? 'Etc/UTC',
    aliases: seed.aliases ?? [],
  }
  return Object.assign(owner, controls(owner.sub), {
    mail: openMail(owner, world),
    calendar: openCalendar(owner, world),
    contacts: openContacts(owner, world),
  })
}
