/**
 * How an administrator comes in: by password, by a one-time link, or with the cookie of a session.
 *
 * Browsers send the cookie with whatever a page asks for, whoever wrote the page. So it counts only for requests that the
 * browser says are of this very origin (`Sec-Fetch-Site`), or whose `Origin` is ours where it does not say; what changes
 * something must say one of the two, and be JSON, which no form of another site can send.
 */

import { limits } from '@waypost/contract'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import { isForwarded } from '../lib/forwarding.ts'
import type { AdminSessionRow } from '../store/admin-sessions.ts'
import type { Database } from '../store/database.ts'
import type { Guesser, PasswordGuessing } from '../telemetry/password-guessing.ts'
import { useLink, useSession } from './admin-sessions.ts'
import type { Administrator } from './administrator.ts'
import { keepAudit } from './audit.ts'
import { type DeviceCookies, deviceDays } from './device-cookies.ts'

/** What is asked of a request. */
export interface Visitor {
  method: string
  /** Where it comes from. */
  address: string
  header(name: string): string | null
}

/** In whose name, and by what, an administrator acts. */
export interface Acting {
  actor: 'session' | 'password'
  address: string
  /** The session, where it is one. */
  session?: AdminSessionRow
  /** By what it is counted when it tries a password. */
  guesser: Guesser
}

export interface AdminAuthentication {
  /** Tries a password; none is wrong. What is wrong is counted, and written down; too many throw. */
  tryPassword(password: string | undefined, by: { actor: Acting['actor']; guesser: Guesser }): Promise<boolean>
  /** Tries a one-time link, which is used up. It is never refused for what others tried. */
  tryLink(token: string, address: string): Promise<boolean>
  /** By what a request that carries a password is counted. */
  guesserOf(visitor: Visitor): Guesser
  /** Whether a request carries the cookie of a session, good or not. */
  hasCookie(visitor: Visitor): boolean
  /** The session of a request, if it goes on. */
  findSession(visitor: Visitor): Promise<AdminSessionRow | undefined>
  /** The same; throws unless it goes on and the request is the dashboard's own. */
  needSession(visitor: Visitor): Promise<Acting>
  /** Throws unless the request is one of our own pages. */
  needOwnPage(visitor: Visitor): void
  /** The header that gives a browser its session, or takes it away. */
  cookieOf(token: string | undefined): string
  /** The header that makes a browser known from now on. */
  deviceCookie(): string
}

export interface AdminAuthenticationOptions {
  database: Database
  administrator: Administrator
  clock: Clock
  baseUrl: string
  guessing: PasswordGuessing
  devices: DeviceCookies
}

const reading = new Set(['GET', 'HEAD'])
/** Failed links that are written down in a minute: anybody can send any number. */
const notedLinks = 10
/** Longer than the contract takes one anywhere: not worth hashing. */
const longestPassword = limits.passwordLength

export function createAdminAuthentication(options: AdminAuthenticationOptions): AdminAuthentication {
  const { database, administrator, clock, guessing, devices } = options
  const base = new URL(options.baseUrl)
  const secure = base.protocol === 'https:'
  const name = secure ? '__Host-waypost' : 'waypost'
  const deviceName = `${name}-device`
  const mayNoteLink = createPace(notedLinks, 60_000)

  const noteRefused = (actor: Acting['actor'], address: string): Promise<void> => {
    const refused = { applicationId: null, target: null, status: 401 }
    return keepAudit(database, { actor, address, action: 'session.create', ...refused, now: clock.now() })
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

  /** Whether an Origin is this service's: the one of its base address, or that of the address it was called by. */
  const isOwn = (origin: string, host: string | null): boolean =>
    origin === base.origin || (host !== null && URL.parse(origin)?.host === host)

  const needOwnPage = ({ method, header }: Visitor): void => {
    const site = header('sec-fetch-site')
    const origin = header('origin')
    // An address that somebody typed, or a bookmark, is `none`.
    const trusted = site === 'same-origin' || (reading.has(method) && site === 'none')
    if (site !== null && !trusted) throw new ApiError('cross_site_request')
    if (origin !== null && !isOwn(origin, header('host'))) throw new ApiError('cross_site_request')
    if (reading.has(method)) return
    if (site === null && origin === null) throw new ApiError('cross_site_request')
    const type = header('content-type')
    const isJson = type?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'
    const isEmpty = type === null && Number(header('content-length') ?? 0) === 0 && header('transfer-encoding') === null
    if (!isJson && !isEmpty) {
      throw new ApiError(
        'cross_site_request',
        'with a session, what changes something must be sent as application/json',
      )
    }
  }

  const findSession = async (visitor: Visitor): Promise<AdminSessionRow | undefined> => {
    const token = tokenOf(visitor)
    return token === undefined ? undefined : useSession(database, token, clock.now())
  }

  return {
    async tryPassword(password, { actor, guesser }) {
      const isRight = async (): Promise<boolean> =>
        password !== undefined && password.length <= longestPassword && administrator.verify(password)
      if (await guessing.attempt(guesser, isRight)) return true
      await noteRefused(actor, guesser.address)
      return false
    },
    async tryLink(token, address) {
      if (isToken(token) && (await useLink(database, token, clock.now()))) return true
      if (mayNoteLink(clock.now())) await noteRefused('session', address)
      return false
    },
    guesserOf: (visitor) => ({
      address: visitor.address,
      forwarded: isForwarded({ header: (each) => visitor.header(each) ?? undefined }),
      device: devices.read(cookieValue(visitor, deviceName) ?? '', clock.now()),
    }),
    hasCookie: (visitor) => tokenOf(visitor) !== undefined,
    findSession,
    async needSession(visitor) {
      needOwnPage(visitor)
      const session = await findSession(visitor)
      if (!session) throw new ApiError('administrator_required', 'the session has ended: sign in again')
      const { address } = visitor
      return { actor: 'session', address, session, guesser: { address, forwarded: false, session: session.id } }
    },
    needOwnPage,
    cookieOf: (token) =>
      `${name}=${token ?? ''}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}${token === undefined ? '; Max-Age=0' : ''}`,
    deviceCookie: () =>
      `${deviceName}=${devices.issue(clock.now())}; Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}; Max-Age=${deviceDays * 86_400}`,
  }
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
