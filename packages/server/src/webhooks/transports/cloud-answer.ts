/** What the APIs of clouds answer, in the form of the transports. */
import { version } from '@waypost/platform/versions'
import type { Answer } from './transport.ts'

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
