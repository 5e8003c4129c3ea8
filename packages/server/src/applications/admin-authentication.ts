/**
 * How administrators authenticate: a person with address and password, the installation password, a one-time link, or
 * a session cookie.
 */
import { limits, type PersonSummary, type SignInWay } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import { emailKey } from '@waypost/platform/email-key'
import type { Database, Queries } from '@waypost/store/engine/database'
import type { HeldSession } from '@waypost/store/tables/applications/admin-sessions'
import { readFact } from '@waypost/store/tables/applications/installation'
import type { PersonRow } from '@waypost/store/tables/applications/people'
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
import { rightsOf } from './rights.ts'
import { type ActionFacts, requiredActionOf, rolesIn, secondFactorRoles } from './second-factor-policy.ts'

/** Where an attempt comes from. */
interface Trying {
  actor: Acting['actor']
  guesser: Guesser
}

export interface AdminAuthentication {
  /** Checks the installation password. A missing one is wrong. Failures are counted and audited; too many throw. */
  tryPassword(password: string | undefined, by: Trying): Promise<boolean>
  /** The person with this address, password and code. Undefined if they are wrong, which is counted and audited. */
  tryPerson(proof: Proof, by: Trying): Promise<PersonRow | undefined>
  /** Whether this is the caller's own password. Failures are counted and audited. */
  tryOwnPassword(email: string, password: string, by: Trying): Promise<boolean>
  /** Consumes a one-time link. Failed attempts by others never block it. */
  tryLink(token: string, address: string): Promise<boolean>
  /** Audits a refusal without a password attempt, at a limited rate. */
  noteRefusal(address: string): Promise<void>
  /** How a password attempt is counted. The installation password has no address. */
  guesserOf(visitor: Visitor, email?: string): Guesser
  /** The identity and rights of a person. Null means the installation password or a one-time link. */
  standingOf(person: PersonRow | null, way: SignInWay, queries?: Queries): Promise<Standing>
  /** Whether a request has a session cookie, valid or not. */
  hasCookie(visitor: Visitor): boolean
  /** The valid session of a request. */
  findSession(visitor: Visitor): Promise<HeldSession | undefined>
  /** Same as `findSession`, but throws unless the session is valid and the request comes from the dashboard. */
  needSession(visitor: Visitor): Promise<Acting>
  /** Throws unless the request comes from one of our own pages. */
  needOwnPage(visitor: Visitor): void
  /** The header that sets or removes the session cookie. */
  cookieOf(token: string | undefined): string
  /** The header that sets a device cookie for a person's browser. */
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
  /** Whether administrators may see customer data. */
  customerData: boolean
}

/** Audited refusals per minute: anybody can cause any number of them. */
const notedRefusals = 10
/** The contract refuses longer passwords, so they are not worth hashing. */
const maxPasswordLength = limits.passwordLength

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

  /** If there are two cookies with this name, one was planted, so neither is used. */
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
      if (proof.password.length <= maxPasswordLength) {
        outcome = await judgeProof({ queries: database, ...options }, proof, clock.now())
      }
      // A request for a code follows only a correct password.
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
        password !== undefined && password.length <= maxPasswordLength && administrator.admits(password, clock.now())
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

/** The key under which guesses for an account are counted, whether it exists or not. It has a fixed length. */
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

/** Whether a text has the form of a session token. */
const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)

/** Returns true at most `max` times per window. */
function createPace(max: number, windowMs: number): (now: number) => boolean {
  let window = 0
  let used = 0
  return (now) => {
    const current = Math.floor(now / windowMs)
    if (current !== window) {
      window = current
      used = 0
    }
    return used++ < max
  }
}
