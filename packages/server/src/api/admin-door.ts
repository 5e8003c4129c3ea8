/**
 * How an administrator comes in: by password, by a one-time link, or with the cookie of a session.
 *
 * Browsers send the cookie with whatever a page asks for, whoever wrote the page. So it counts only for requests that the
 * browser says are of this very origin (`Sec-Fetch-Site`), or whose `Origin` is ours where it does not say; what changes
 * something must say one of the two, and be JSON, which no form of another site can send.
 */

import { useLink, useSession } from '../applications/admin-sessions.ts'
import type { Administrator } from '../applications/administrator.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { AdminSessionRow } from '../store/admin-sessions.ts'
import type { Database } from '../store/database.ts'
import { keepAudit } from './audit.ts'

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
}

export interface AdminDoor {
  /** Tries a password; none is wrong. What is wrong is counted, and written down; too many throw. */
  tryPassword(password: string | undefined, by: { actor: Acting['actor']; address: string }): Promise<boolean>
  /** The same for a one-time link, which is used up. */
  tryLink(token: string, address: string): Promise<boolean>
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
}

export interface DoorOptions {
  database: Database
  administrator: Administrator
  clock: Clock
  baseUrl: string
  /** Throws when an address tried too often; answers what counts one more failure. */
  countFailure(address: string): () => void
}

const reading = new Set(['GET', 'HEAD'])

export function createAdminDoor(options: DoorOptions): AdminDoor {
  const { database, administrator, clock, countFailure } = options
  const base = new URL(options.baseUrl)
  const secure = base.protocol === 'https:'
  const name = secure ? '__Host-waypost' : 'waypost'
  const inTurn = createTurns()

  const attempt = (address: string, actor: Acting['actor'], isRight: () => Promise<boolean>): Promise<boolean> =>
    inTurn(address, async () => {
      const countThis = countFailure(address)
      if (await isRight()) return true
      countThis()
      const refused = { applicationId: null, target: null, status: 401 }
      await keepAudit(database, { actor, address, action: 'session.create', ...refused, now: clock.now() })
      return false
    })

  /** Two of the name: somebody else put one there, so that neither counts. */
  const tokenOf = ({ header }: Visitor): string | undefined => {
    const pairs = (header('cookie') ?? '').split(';').map((pair) => pair.trim())
    const [pair, second] = pairs.filter((each) => each.startsWith(`${name}=`))
    const token = pair?.slice(name.length + 1) ?? ''
    return second === undefined && /^[\w-]{43}$/.test(token) ? token : undefined
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
    tryPassword: (password, { actor, address }) =>
      attempt(address, actor, async () => password !== undefined && administrator.verify(password)),
    tryLink: (token, address) => attempt(address, 'session', () => useLink(database, token, clock.now())),
    hasCookie: (visitor) => tokenOf(visitor) !== undefined,
    findSession,
    async needSession(visitor) {
      needOwnPage(visitor)
      const session = await findSession(visitor)
      if (!session) throw new ApiError('administrator_required', 'the session has ended: sign in again')
      return { actor: 'session', address: visitor.address, session }
    },
    needOwnPage,
    cookieOf: (token) =>
      `${name}=${token ?? ''}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}${token === undefined ? '; Max-Age=0' : ''}`,
  }
}

/** Tries what an address sends one by one: guesses sent side by side would all be tried before the first counts. */
function createTurns(): (address: string, attempt: () => Promise<boolean>) => Promise<boolean> {
  /** The last attempt of each address that is under way. */
  const underWay = new Map<string, Promise<boolean>>()
  return async (address, attempt) => {
    const turn = (underWay.get(address) ?? Promise.resolve()).then(attempt, attempt)
    underWay.set(address, turn)
    try {
      return await turn
    } finally {
      if (underWay.get(address) === turn) underWay.delete(address)
    }
  }
}
