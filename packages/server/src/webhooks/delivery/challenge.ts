/**
 * Whether somebody listens at an address, and wants to: before a destination is made or activated, the listener is sent
 * a text that nobody can guess, and must send it back. One attempt, no redirects, outside of any transaction.
 */
import { limits } from '@waypost/contract'
import { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { type Egress, EgressError, type EgressResponse } from '../../lib/egress/egress.ts'
import { newId } from '../../lib/ids.ts'
import { version } from '../../version.ts'

export interface ListenerTools {
  egress: Pick<Egress, 'request'>
  clock: Clock
  signal: AbortSignal
  /**
   * Hears what went wrong, where the caller may not: there private addresses may be reached, by people who are not the
   * operator, and what answers inside, and how, is not theirs to know.
   */
  aside?: ((details: Record<string, unknown>) => void) | undefined
}

const agent = { 'user-agent': `waypost/${version}` }
const shown = 100

/** What a listener answered, for the eyes of who runs it: what is not printable is left out. */
function describe({ status, body }: EgressResponse, milliseconds: number): string {
  const begin = body
    .subarray(0, shown)
    .toString()
    .replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '\uFFFD')
  const text = body.length === 0 ? 'no body' : `a body that begins ${JSON.stringify(begin)}`
  return `got ${status} after ${milliseconds} ms with ${text}`
}

/** Sends a request to a listener; one that cannot be answered is an error of its address. */
async function ask(
  request: Omit<Parameters<Egress['request']>[0], 'deadlineMs' | 'maxBytes'>,
  tools: ListenerTools,
): Promise<{ answer: EgressResponse; told: string }> {
  const { egress, clock, signal } = tools
  const started = clock.now()
  try {
    const answer = await egress.request({
      ...request,
      headers: { ...agent, ...request.headers },
      signal,
      deadlineMs: limits.webhookAnswerMs,
      maxBytes: 4096,
    })
    return { answer, told: describe(answer, clock.now() - started) }
  } catch (cause) {
    if (!(cause instanceof EgressError)) throw cause
    throw unanswered(`no answer after ${clock.now() - started} ms: ${cause.message}`, tools, cause)
  }
}

/** The error of a listener that did not answer as it should. */
function unanswered(told: string, { aside }: ListenerTools, cause?: EgressError): ApiError {
  // What was refused is refused by the text of the address, or in words that tell nothing of inside.
  const shown = aside === undefined || cause?.reason.startsWith('refused_')
  if (shown) return new ApiError('webhook_unanswered', `unable.verify.webhook_url : ${told}`, { cause })
  aside({ told })
  return new ApiError('webhook_unanswered', `unable.verify.webhook_url : ${hidden}`)
}

const hidden = 'the listener did not answer as it should; the log of the service says how'

/** Verifies that the listener at an address answers the challenge: status 200 and exactly the text, byte for byte. */
export async function verifyListener(url: URL, tools: ListenerTools): Promise<void> {
  const challenge = newId()
  const asked = new URL(url)
  // Not by `searchParams`, which would write the rest of the query in its own way.
  asked.search = `${url.search === '' ? '?' : `${url.search}&`}challenge=${challenge}`
  const { answer, told } = await ask({ url: asked, method: 'GET' }, tools)
  const problem =
    answer.status !== 200
      ? 'status is not ok'
      : answer.body.equals(Buffer.from(challenge))
        ? undefined
        : 'the body is not exactly the challenge'
  if (problem) throw unanswered(`${problem}, ${told}`, tools)
}

/** Sends a test event; any 2xx is good. */
export async function sendTestEvent(
  url: URL,
  event: { body: Buffer; headers: Record<string, string> },
  tools: ListenerTools,
): Promise<void> {
  const headers = { 'content-type': 'application/json', ...event.headers }
  const { answer, told } = await ask({ url, method: 'POST', headers, body: event.body }, tools)
  if (answer.status >= 200 && answer.status < 300) return
  throw unanswered(`status is not ok, ${told}`, tools)
}
