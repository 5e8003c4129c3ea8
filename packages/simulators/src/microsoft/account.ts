// A user of the simulated Microsoft.
import { createHash } from 'node:crypto'
import { openCalendar, type SimulatedCalendar } from './calendar/calendar.ts'
import { openContacts, type SimulatedContacts } from './contacts/contacts.ts'
import { openMail, type SimulatedMail } from './mail/mail.ts'
import type { SignInProblem } from './oauth/problems.ts'
import { type AccountOwner, personalTenant, type Tenant } from './owner.ts'
import type { World } from './world.ts'

export interface AccountSeed {
  readonly email: string
  readonly name?: string
  /** IANA name; default `Etc/UTC`. */
  readonly timezone?: string
  readonly aliases?: readonly string[]
  /** Default `work`: in the tenant of the address's domain. */
  readonly kind?: 'work' | 'personal'
  /** Whether the user may consent for the whole organization; default false. */
  readonly isAdministrator?: boolean
  /** Whether Exchange replaces the Message-ID of mail that the user sends; default false. */
  readonly renamesSent?: boolean
}

export interface SimulatedAccount extends AccountOwner, ConsentControls {
  readonly calendar: SimulatedCalendar
  readonly contacts: SimulatedContacts
  readonly mail: SimulatedMail
  /** Lets another user of the tenant open this mailbox (a shared mailbox, a delegate). */
  shareWith(email: string, rights?: { sendAs?: boolean }): void
}

export interface ConsentControls {
  /** The user, or an administrator, revokes the consent given to one client, or to all clients: their tokens end. */
  revokeConsent(clientId?: string): void
  /**
   * The error for the user's next refreshes and codes. A new sign-in ends every problem except `disabled` and a
   * policy.
   */
  refuseSignIn(problem: SignInProblem | undefined): void
}

export function createAccount(
  seed: AccountSeed,
  world: World,
  controls: (oid: string) => ConsentControls,
): SimulatedAccount {
  const tenant = seed.kind === 'personal' ? { id: personalTenant, domain: '' } : tenantOf(world, seed.email)
  const digits = createHash('sha256').update(`user ${seed.email.toLowerCase()} ${world.accounts.size}`).digest('hex')
  const cid = digits.slice(0, 16)
  const oid = seed.kind === 'personal' ? `00000000-0000-0000-${cid.slice(0, 4)}-${cid.slice(4)}` : guid(digits)
  const owner: { -readonly [K in keyof AccountOwner]: AccountOwner[K] } = {
    id: seed.kind === 'personal' ? cid : oid,
    oid,
    email: seed.email,
    name: seed.name ?? seed.email.slice(0, seed.email.indexOf('@')),
    tenant,
    timezone: seed.timezone ?? 'Etc/UTC',
    aliases: seed.aliases ?? [],
    isAdministrator: seed.isAdministrator ?? false,
    renamesSent: seed.renamesSent ?? false,
    delegates: new Map(),
  }
  return Object.assign(owner, controls(oid), {
    calendar: openCalendar(owner, world),
    contacts: openContacts(owner, world),
    mail: openMail(owner, world),
    shareWith(email: string, { sendAs = false }: { sendAs?: boolean } = {}) {
      const delegate = world.findAccount(email)
      if (delegate === undefined) throw new Error(`There is no account ${email}`)
      owner.delegates.set(delegate.oid, { sendAs })
    },
  })
}

/** The tenant of an address, created with its first account. */
function tenantOf(world: World, email: string): Tenant {
  const domain = email.slice(email.indexOf('@') + 1).toLowerCase()
  const tenant = world.tenants.get(domain) ?? {
    id: guid(createHash('sha256').update(`tenant ${domain}`).digest('hex')),
    domain,
  }
  world.tenants.set(domain, tenant)
  return tenant
}

/** A GUID from the first digits, the same at every start. */
function guid(hex: string): string {
  const digits = `${hex.slice(0, 12)}4${hex.slice(13, 16)}a${hex.slice(17, 32)}`
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
