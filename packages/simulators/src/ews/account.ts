// A user of the simulated Exchange.
import { createHash } from 'node:crypto'
import { openCalendar, type SimulatedCalendar } from './calendar/calendar.ts'
import { openContacts, type SimulatedContacts } from './contacts/contacts.ts'
import { openMail, type SimulatedMail } from './mail/mail.ts'
import type { World } from './model.ts'
import type { Account, SignInProblem } from './owner.ts'
import { createMailbox } from './store/mailbox.ts'
import type { FolderRights } from './store/stored.ts'

export interface AccountSeed {
  /** The primary SMTP address. */
  readonly email: string
  readonly password: string
  readonly name?: string
  /** The name in the domain, as in `EXCHANGE\ada`; default: the part of the address before `@`. */
  readonly username?: string
  /** The NetBIOS name of the domain; default `EXCHANGE`. */
  readonly domain?: string
  readonly aliases?: readonly string[]
  /** IANA name; default `Etc/UTC`. */
  readonly timezone?: string
  /** Whether it has the role ApplicationImpersonation; default false. */
  readonly mayImpersonate?: boolean
}

export interface SimulatedAccount extends Account {
  readonly mail: SimulatedMail
  readonly calendar: SimulatedCalendar
  readonly contacts: SimulatedContacts
  changePassword(password: string): void
  /** The error for the user's next requests, although the password is correct. */
  refuseSignIn(problem: SignInProblem | undefined): void
  /**
   * Whether the mailbox is being moved to another database: requests then fail. Subscriptions do not survive a move.
   */
  setMoving(isMoving: boolean): void
  /** Gives another user full access to this mailbox. */
  shareWith(email: string, rights?: { sendAs?: boolean }): void
  /** Shares one folder, by well-known name or id; for reading only, unless `write` is true. */
  shareFolder(email: string, folder: string, rights?: Partial<FolderRights>): void
}

/** Splits a name such as `Ada Lovelace` into the directory's name fields. */
function namesOf(name: string | undefined): { givenName?: string; surname?: string } {
  const [givenName, ...rest] = name?.split(' ') ?? []
  return givenName === undefined || rest.length === 0 ? {} : { givenName, surname: rest.join(' ') }
}

export function createAccount(seed: AccountSeed, world: World): SimulatedAccount {
  const digits = createHash('sha256').update(`mailbox ${seed.email.toLowerCase()}`).digest('hex')
  const id = digits.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const local = seed.email.slice(0, seed.email.indexOf('@'))
  const delegates: Account['delegates'] = new Map()
  const mailbox = createMailbox({ id, delegates, now: world.now, tell: world.tell })
  const owner: { -readonly [K in keyof Account]: Account[K] } = {
    id,
    email: seed.email,
    aliases: seed.aliases ?? [],
    name: seed.name ?? local,
    domain: seed.domain ?? 'EXCHANGE',
    username: seed.username ?? local,
    timezone: seed.timezone ?? 'Etc/UTC',
    ...namesOf(seed.name),
    password: seed.password,
    problem: undefined,
    isMoving: false,
    mailbox,
    delegates,
    mayImpersonate: seed.mayImpersonate ?? false,
  }

  function colleague(email: string): Account {
    const found = world.findAccount(email)
    if (found === undefined) throw new Error(`There is no account ${email}`)
    return found
  }

  return Object.assign(owner, {
    mail: openMail(owner, world),
    calendar: openCalendar(owner, world),
    contacts: openContacts(owner, world),
    changePassword(password: string) {
      owner.password = password
    },
    refuseSignIn(problem: SignInProblem | undefined) {
      owner.problem = problem
    },
    setMoving(isMoving: boolean) {
      owner.isMoving = isMoving
      world.endSubscriptions(id)
    },
    shareWith(email: string, { sendAs = false }: { sendAs?: boolean } = {}) {
      delegates.set(colleague(email).id, { sendAs })
    },
    shareFolder(email: string, name: string, { read = true, write = false }: Partial<FolderRights> = {}) {
      const folder = mailbox.folders.all().find((each) => each.wellKnownName === name || each.id === name)
      if (folder === undefined) throw new Error(`There is no folder ${name}`)
      folder.permissions.set(colleague(email).id, { read, write })
    },
  })
}
