/** What the APIs of clouds need and answer, in the form of the transports. */

import type { Clock } from '@waypost/platform/clock'
import { version } from '@waypost/platform/versions'
import type { Answer } from './transport.ts'

/** Firewalls refuse requests without a User-Agent. */
export const userAgent = `waypost/${version}`

/** The parts of the 10 seconds that a message may take: for fetching credentials, and for publishing. */
export const credentialsMs = 4_000
export const publishMs = 6_000

/** A service refused something before the message could be published. It becomes the answer of the message. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly answer: Answer

  constructor(status: number, message: string, retryAfter: string | null = null) {
    super(message)
    this.answer = { status, answer: Buffer.from(message), retryAfter }
  }
}

/** The answer of `work`, or the refusal that ended it. Other errors pass. */
export async function answerOf(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Refused) return error.answer
    throw error
  }
}

const shownLength = 300

/** The beginning of what a service said, without unprintable characters. */
export const shown = (text: string): string =>
  text
    .slice(0, shownLength)
    .replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]+/gu, ' ')
    .trim()

/** The first value of a header that may have several. */
export const headerOf = (headers: Readonly<Record<string, string | string[]>>, name: string): string | null => {
  const value = headers[name]
  return (typeof value === 'string' ? value : value?.[0]) ?? null
}

export interface Expiring<T> {
  readonly value: T
  /** Milliseconds. */
  readonly expiresAt: number
}

/** Renewal begins this long before the end, or after four fifths of a short life. */
const marginMs = 300_000

/**
 * A credential with an end, such as an access token: fetched at the first use, shared by everybody who waits for it, and
 * renewed shortly before its end. While a renewal fails, the former one serves until it ends.
 */
export class Renewed<T> {
  readonly #clock: Clock
  readonly #request: () => Promise<Expiring<T>>
  #held: (Expiring<T> & { renewAt: number }) | undefined
  #renewing: Promise<T> | undefined

  constructor(request: () => Promise<Expiring<T>>, clock: Clock) {
    this.#request = request
    this.#clock = clock
  }

  async get(): Promise<T> {
    const held = this.#held
    const now = this.#clock.now()
    if (held && now < held.renewAt) return held.value
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined
    })
    if (!held || now >= held.expiresAt) return this.#renewing
    return this.#renewing.catch(() => held.value)
  }

  /** The service refused this value although it has not ended: the next use fetches another. */
  drop(value: T): void {
    if (this.#held?.value === value) this.#held = undefined
  }

  async #renew(): Promise<T> {
    const started = this.#clock.now()
    const { value, expiresAt } = await this.#request()
    this.#held = { value, expiresAt, renewAt: Math.max(expiresAt - marginMs, started + (expiresAt - started) * 0.8) }
    return value
  }
}
