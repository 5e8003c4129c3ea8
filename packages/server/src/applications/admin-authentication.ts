/**
 * How an administrator comes in: a person by address and password, the installation's password, a one-time link, or the
 * cookie of a session.
 */
import { limits, type PersonSummary, type SignInWay } from '@waypost/contract'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { Secrets } from '../lib/crypto/secrets.ts'
import { emailKey } from '../lib/email-key.ts'
import type { Database, Queries } from '../store/engine/database.ts'
import type { HeldSession } from '../store/tables/applications/admin-sessions.ts'
import { readFact } from '../store/tables/applications/installation.ts'
import type { PersonRow } from '../store/tables/applications/people.ts'
import type { Guesser, PasswordGuessing } from '../telemetry/password-guessing.ts'
import type { Acting, Standing } from './acting.ts'
import { holderOf, useLink, useSession } from './admin-sessions.ts'
import type { Administrator } from './administrator.ts'
import { hashKey } from './api-keys.ts'
import { keepAudit } from './audit.ts'
import { type DeviceCookies, deviceDays } from './device-cookies.ts'
import { createOwnPageCheck, type Visitor } from './own-page.ts'
import type { PasswordHashing } from './password-hashing.ts'
import { judgeProof, type Proof, type SignInOutcome, summaryOf } from './person-sign-in.ts'
import { type ActionFacts, requiredActionOf } from './required-actions.ts'
import { rightsOf } from './rights.ts'
import { rolesIn, secondFactorRoles } from './second-factor-policy.ts'

/** Who tries something, and by what. */
interface Trying {
  actor: Acting['actor']
  guesser: Guesser
}

export interface AdminAuthentication {
  /** Tries the password of the installation; none is wrong. What is wrong is counted, and written down; too many throw. */
  tryPassword(password: string | undefined, by: Trying): Promise<boolean>
  /** The person that address, password and code are of; undefined where they are wrong, which is counted and written down. */
  tryPerson(proof: Proof, by: Trying): Promise<PersonRow | undefined>
  /** Whether it is the password of the person who acts; what is wrong is counted, and written down. */
  tryOwnPassword(email: string, password: string, by: Trying): Promise<boolean>
  /** Tries a one-time link, which is used up. It is never refused for what others tried. */
  tryLink(token: string, address: string): Promise<boolean>
  /** Writes down that somebody was refused who showed no password, though not any number of times. */
  noteRefusal(address: string): Promise<void>
  /** By what a request that carries a password is counted; the password of the installation has no address. */
  guesserOf(visitor: Visitor, email?: string): Guesser
  /** Who a person is and what they may do; nobody is the password of the installation, or a one-time link. */
  standingOf(person: PersonRow | null, way: SignInWay, queries?: Queries): Promise<Standing>
  /** Whether a request carries the cookie of a session, good or not. */
  hasCookie(visitor: Visitor): boolean
  /** The session of a request, if it goes on. */
  findSession(visitor: Visitor): Promise<HeldSession | undefined>
  /** The same; throws unless it goes on and the request is the dashboard's own. */
  needSession(visitor: Visitor): Promise<Acting>
  /** Throws unless the request is one of our own pages. */
  needOwnPage(visitor: Visitor): void
  /** The header that gives a browser its session, or takes it away. */
  cookieOf(token: string | undefined): string
  /** The header that makes a browser known from now on to somebody. */
  deviceCookie(email?: string): string
}

export interface AdminAuthenticationOptions {
  database: Database
  secrets: Secrets
  hashing: PasswordHashing
  administrator: Administrator
  clock: Clock
  baseUrl: string
  guessing: PasswordGuessing
  devices: DeviceCookies
  /** Whether administrators may see what is customers'. */
  customerData: boolean
}

/** Failed links and the like that are written down in a minute: anybody can send any number. */
const notedRefusals = 10
/** Longer than the contract takes one anywhere: not worth hashing. */
const longestPassword = limits.passwordLength

export function createAdminAuthentication(options: AdminAuthenticationOptions): AdminAuthentication {
  const { database, administrator, clock, guessing, devices, customerData } = options
  const base = new URL(options.baseUrl)
  const secure = base.protocol === 'https:'
  const name = secure ? '__Host-waypost' : 'waypost'
  const deviceName = `${name}-device`
  const mayNote = createPace(notedRefusals, 60_000)

  const noteRefused = (actor: Acting['actor'], address: string, person?: PersonRow): Promise<void> => {
    const refused = { applicationId: null, target: null, status: 401, person: person ?? null }
    return keepAudit(database, { actor, address, action: 'session.create', ...refused, now: clock.now() })
  }

  const noteRefusal = async (address: string): Promise<void> => {
    if (mayNote(clock.now())) await noteRefused('session', address)
  }

  /** Two of a name: somebody else put one there, so that neither counts. */
  const cookieValue = ({ header }: Visitor, wanted: string): string | undefined => {
    const pairs = (header('cookie') ?? '').split(';').map((pair) => pair.trim())
    const [pair, second] = pairs.filter((each) => each.startsWith(`${wanted}=`))
    return second === undefined ? pair?.slice(wanted.length + 1) : undefined
  }

  const tokenOf = (visitor: Visitor): string | undefined => {
    const token = cookieValue(visitor, name) ?? ''
    return isToken(token) ? token : undefined
  }

  const needOwnPage = createOwnPageCheck(base)

  const findSession = async (visitor: Visitor): Promise<HeldSession | undefined> => {
    const token = tokenOf(visitor)
    return token === undefined ? undefined : useSession(database, token, clock.now())
  }

  const tryPerson = async (proof: Proof, { actor, guesser }: Trying): Promise<PersonRow | undefined> => {
    let outcome: SignInOutcome = { result: 'wrong', person: undefined }
    await guessing.attempt(guesser, async () => {
      if (proof.password.length <= longestPassword) {
        outcome = await judgeProof({ queries: database, ...options }, proof, clock.now())
      }
      // Who is asked for a code has shown the right password.
      return outcome.result === 'right' || outcome.result === 'code needed'
    })
    const { result, person } = outcome as SignInOutcome
    if (result === 'right') return person
    if (result !== 'code needed') await noteRefused(actor, guesser.address, person)
    if (result === 'wrong') return undefined
    throw codeError(result)
  }

  const standing = (
    person: PersonSummary | null,
    applications: string | null,
    facts: Omit<ActionFacts, 'role'>,
  ): Standing => {
    const holder = person && {
      role: person.role,
      applications: applications === null ? 'all' : JSON.parse(applications),
    }
    const requiredAction = requiredActionOf({ ...facts, role: person?.role ?? null })
    return { person, rights: rightsOf(holder, { customerData }), requiredAction }
  }
  const standingIn = (session: HeldSession): Standing =>
    standing(holderOf(session), session.applications, {
      hasTotp: session.has_totp === 1,
      way: session.way,
      isInitialPassword: session.initial_password_until !== null,
      secondFactorRoles: rolesIn(session.second_factor_roles),
    })

  return {
    async tryPassword(password, { actor, guesser }) {
      const isRight = async (): Promise<boolean> =>
        password !== undefined && password.length <= longestPassword && administrator.admits(password, clock.now())
      if (await guessing.attempt(guesser, isRight)) return true
      await noteRefused(actor, guesser.address)
      return false
    },
    tryPerson,
    async tryOwnPassword(email, password, { actor, guesser }) {
      const proof = { email, password }
      let outcome: SignInOutcome | undefined
      const isRight = async (): Promise<boolean> => {
        outcome = await judgeProof({ queries: database, ...options }, proof, clock.now())
        return outcome.result !== 'wrong'
      }
      if (await guessing.attempt(guesser, isRight)) return true
      await noteRefused(actor, guesser.address, outcome?.person)
      return false
    },
    async tryLink(token, address) {
      if (isToken(token) && (await useLink(database, token, clock.now()))) return true
      await noteRefusal(address)
      return false
    },
    noteRefusal,
    guesserOf: (visitor, email) => {
      const account = accountOf(email)
      return {
        address: visitor.address,
        device: devices.read(cookieValue(visitor, deviceName) ?? '', { account, now: clock.now() }),
        account,
      }
    },
    standingOf: async (row, way, queries = database) =>
      standing(row && summaryOf(row), row?.applications ?? null, {
        hasTotp: row !== null && row.sealed_totp !== null,
        way,
        isInitialPassword: (await readFact(queries, 'initial_password_until')) !== undefined,
        secondFactorRoles: await secondFactorRoles(queries),
      }),
    hasCookie: (visitor) => tokenOf(visitor) !== undefined,
    findSession,
    async needSession(visitor) {
      needOwnPage(visitor)
      const session = await findSession(visitor)
      if (!session) throw new ApiError('administrator_required', 'the session has ended: sign in again')
      const { address } = visitor
      const guesser = { address, session: session.id, account: accountOf(session.email ?? undefined) }
      return { actor: 'session', address, session, guesser, ...standingIn(session) }
    },
    needOwnPage,
    cookieOf: (token) =>
      `${name}=${token ?? ''}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}${token === undefined ? '; Max-Age=0' : ''}`,
    deviceCookie: (email) =>
      `${deviceName}=${devices.issue({ account: accountOf(email), now: clock.now() })}; Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}; Max-Age=${deviceDays * 86_400}`,
  }
}

/** What guesses at one account are counted by, be there such a one or not: a word of one length. */
const accountOf = (email: string | undefined): string =>
  email === undefined ? '' : hashKey(emailKey(email)).slice(0, 32)

const codeError = (result: 'code needed' | 'code wrong' | 'too many codes'): ApiError => {
  if (result === 'too many codes') {
    const retryAfter = 3600
    return new ApiError('rate_limited', 'too many wrong codes: wait an hour, or use a recovery code', { retryAfter })
  }
  return new ApiError(
    'second_factor_required',
    result === 'code wrong' ? 'the code is wrong, or was used before' : undefined,
  )
}

/** What opens a session, by its form. */
const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)

/** Says yes so many times in each window. */
function createPace(most: number, windowMs: number): (now: number) => boolean {
  let window = 0
  let used = 0
  return (now) => {
    const current = Math.floor(now / windowMs)
    if (current !== window) {
      window = current
      used = 0
    }
    return used++ < most
  }
}
