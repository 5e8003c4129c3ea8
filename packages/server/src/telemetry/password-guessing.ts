/**
 * Limits how often passwords of administrators may be tried, so that guessing is slow and does not lock out people
 * who know their password (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
 *
 * A source that has proven the password of an account before has its own counter: a session, a browser with a device
 * cookie, an address with a successful sign-in. Other sources are counted by address, and all of them together, per
 * account and over all accounts. An account that does not exist is counted like one that does, so that nobody can
 * tell them apart. Sessions and one-time links are not counted: nobody guesses 256 bits.
 */
import { isIPv6 } from 'node:net'
import { ApiError } from '@waypost/platform/api-error'
import type { RateLimiter } from './rate-limit.ts'

/** The source of an attempt. */
export interface Guesser {
  /** The client address. Clients behind a proxy that is not trusted share the address of the proxy. */
  address: string
  /** The device named by the cookie of the request. */
  device?: string | undefined
  /** The session of the attempt. */
  session?: string | undefined
  /** The account whose password is tried; empty for the password of the installation. */
  account: string
}

type Attempt = () => Promise<boolean>

export interface PasswordGuessing {
  /**
   * Tries a password; throws `rate_limited` after too many failures. Concurrent attempts of one source run one after
   * another, because otherwise all of them would run before the first one counts.
   */
  attempt(guesser: Guesser, isRight: Attempt): Promise<boolean>
}

export interface GuessingOptions {
  limiter: Pick<RateLimiter, 'takeFailure'>
  now(): number
}

/** Failures per minute: of one source, of all unproven sources for one account, and for all accounts. */
const triesOfOne = 10
const triesOfStrangers = 100
const triesOfAllStrangers = 1000
/** Passwords of unproven sources that are hashed concurrently. Half of Node's threads for such work stay free. */
const strangersAtOnce = 2
/** Addresses with a successful sign-in that are held in memory. */
const knownAddresses = 1000

export function createPasswordGuessing({ limiter, now }: GuessingOptions): PasswordGuessing {
  const known = new Set<string>()
  const inTurn = createTurns()
  const slots = createSlots(strangersAtOnce)

  const takeFailure = (id: string, max: number): (() => void) => {
    try {
      return limiter.takeFailure(`password ${id}`, max, now())
    } catch (error) {
      throw error instanceof ApiError ? withRemedy(error) : error
    }
  }

  const remember = (source: string): void => {
    known.delete(source)
    known.add(source)
    const [oldest] = known
    if (known.size > knownAddresses && oldest !== undefined) known.delete(oldest)
  }

  /** Takes the counters in this order: a source that has used up its own attempts takes none of the shared ones. */
  const count = async (counted: readonly [id: string, max: number][], isRight: Attempt): Promise<boolean> => {
    const failures = counted.map(([id, max]) => takeFailure(id, max))
    if (await isRight()) return true
    for (const fail of failures) fail()
    return false
  }

  return {
    attempt(guesser, isRight) {
      const source = sourceOf(guesser)
      return inTurn(source.id, async () => {
        const own: [string, number] = [source.id, triesOfOne]
        const atAccount = `${source.id} at ${guesser.account}`
        if (source.proven) return count([own], isRight)
        // Counted apart from other sources at the same address, which may guess at another account.
        if (known.has(atAccount)) return count([[atAccount, triesOfOne]], isRight)
        const strangers: [string, number][] = [
          [`strangers at ${guesser.account}`, triesOfStrangers],
          ['strangers', triesOfAllStrangers],
        ]
        const right = await slots(() => count([own, ...strangers], isRight))
        if (right) remember(atAccount)
        return right
      })
    },
  }
}

/** The message names the other ways to sign in. */
const withRemedy = ({ code, message, details }: ApiError): ApiError =>
  new ApiError(code, `${message}, or sign in with a link, which the command "waypost dashboard link" makes`, details)

/** The key of the counter of a source, and whether the source has proven the password before. */
function sourceOf({ address, device, session }: Guesser): { id: string; proven: boolean } {
  if (session !== undefined) return { id: `session ${session}`, proven: true }
  if (device !== undefined) return { id: `device ${device}`, proven: true }
  // No other part of the request counts: a client could change another header to get a fresh counter.
  return { id: `address ${networkOf(address)}`, proven: false }
}

/** The addresses of one subscriber: one of IPv4, a /64 of IPv6. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address.slice(0, 64)
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - after.length - (tail.includes('.') ? 1 : 0)
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...after]
  const network = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

/** Runs the attempts of one source one after another. */
function createTurns(): (source: string, attempt: Attempt) => Promise<boolean> {
  /** The last running attempt of each source. */
  const underWay = new Map<string, Promise<boolean>>()
  return async (source, attempt) => {
    const turn = (underWay.get(source) ?? Promise.resolve()).then(attempt, attempt)
    underWay.set(source, turn)
    try {
      return await turn
    } finally {
      if (underWay.get(source) === turn) underWay.delete(source)
    }
  }
}

/**
 * Runs at most `max` attempts concurrently. Waiting attempts are soon refused, because failures before them use up
 * the limit.
 */
function createSlots(max: number): (attempt: Attempt) => Promise<boolean> {
  let free = max
  const waiting: (() => void)[] = []
  return async (attempt) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await attempt()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
