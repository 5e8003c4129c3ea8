/**
 * How often passwords of administrators may be tried, so that guessing is slow and nobody's guessing stops those who
 * know theirs (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
 *
 * Who has shown before that they know the password of an account is counted by itself: a session, a browser with a device
 * cookie, an address from which it was right. Strangers are counted by their address, and all of them together, for one
 * account and for all. An account that there is not is counted as one that there is, so that nobody learns which there
 * are. Neither sessions nor one-time links are counted: nobody guesses 256 bits.
 */
import { isIPv6 } from 'node:net'
import { ApiError } from '../lib/api-error.ts'
import type { RateLimiter } from './rate-limit.ts'

/** Who tries a password. */
export interface Guesser {
  /** The address that is trusted: those behind a proxy that is not share its address. */
  address: string
  /** The device that the request's cookie names. */
  device?: string | undefined
  /** The session in which it is tried. */
  session?: string | undefined
  /** Whose password it is said to be; empty for that of the installation. */
  account: string
}

type Attempt = () => Promise<boolean>

export interface PasswordGuessing {
  /**
   * Tries a password in the guesser's turn; throws `rate_limited` where they were wrong too often. Guesses sent side by
   * side are tried one by one: otherwise all would be tried before the first counts.
   */
  attempt(guesser: Guesser, isRight: Attempt): Promise<boolean>
}

export interface GuessingOptions {
  limiter: Pick<RateLimiter, 'takeFailure'>
  now(): number
}

/** Wrong passwords in a minute of one guesser, and of all strangers together for one account, and for all accounts. */
const triesOfOne = 10
const triesOfStrangers = 100
const triesOfAllStrangers = 1000
/** Strangers' passwords that are hashed at once; half of the threads that Node has for such work are left to others. */
const strangersAtOnce = 2
/** Addresses from which the password of an account was right, kept in memory. */
const knownAddresses = 1000

export function createPasswordGuessing({ limiter, now }: GuessingOptions): PasswordGuessing {
  const known = new Set<string>()
  const inTurn = createTurns()
  const slots = createSlots(strangersAtOnce)

  const takeFailure = (id: string, most: number): (() => void) => {
    try {
      return limiter.takeFailure(`password ${id}`, most, now())
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

  /** Takes what is counted in this order: a stranger whose own tries are used up takes none of all strangers'. */
  const count = async (counted: readonly [id: string, most: number][], isRight: Attempt): Promise<boolean> => {
    const failures = counted.map(([id, most]) => takeFailure(id, most))
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
        // Counted apart from strangers at its address, of whom one may guess at another account.
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

/** The other ways in stay open. */
const withRemedy = ({ code, message, details }: ApiError): ApiError =>
  new ApiError(code, `${message}, or sign in with a link, which the command "waypost dashboard link" makes`, details)

/** By what a guesser is counted, and whether that shows by itself that they knew the password once. */
function sourceOf({ address, device, session }: Guesser): { id: string; proven: boolean } {
  if (session !== undefined) return { id: `session ${session}`, proven: true }
  if (device !== undefined) return { id: `device ${device}`, proven: true }
  // Nothing else counts that a stranger writes into a request: another header would be another set of tries.
  return { id: `address ${networkOf(address)}`, proven: false }
}

/** What one subscriber has of addresses: one of IPv4, and 2^64 and more of IPv6. */
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

/** Lets those of one source go one by one. */
function createTurns(): (source: string, attempt: Attempt) => Promise<boolean> {
  /** The last attempt of each source that is under way. */
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

/** Lets so many go at once. Whoever waits is soon refused: what fails before them uses up the tries of all. */
function createSlots(most: number): (attempt: Attempt) => Promise<boolean> {
  let free = most
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
