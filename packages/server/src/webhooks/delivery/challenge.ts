/**
 * Verifies that a receiver wants deliveries: before a destination is created or activated, the receiver gets a random
 * text and must return it. One attempt, no redirects, outside any transaction.
 */
import { limits } from '@waypost/contract'
import type { ApiError } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import { type Egress, EgressError, type EgressResponse } from '@waypost/platform/egress/egress'
import { newId } from '@waypost/platform/ids'
import { userAgent } from '../transports/cloud-answer.ts'
import { type Aside, unverified } from '../transports/transport.ts'

export interface ListenerTools {
  egress: Pick<Egress, 'request'>
  clock: Clock
  signal: AbortSignal
  aside?: Aside
}

const shown = 100

/** Describes a receiver's response to its owner, without unprintable characters. */
function describe({ status, body }: EgressResponse, milliseconds: number): string {
  const begin = body
    .subarray(0, shown)
    .toString()
    .replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '\uFFFD')
  const text = body.length === 0 ? 'no body' : `a body that starts with ${JSON.stringify(begin)}`
  return `got ${status} after ${milliseconds} ms with ${text}`
}

/** Sends a request to a receiver. A failure is reported as an error of its URL. */
async function ask(
  request: Omit<Parameters<Egress['request']>[0], 'deadlineMs' | 'maxBytes'>,
  tools: ListenerTools,
): Promise<{ answer: EgressResponse; reported: string }> {
  const { egress, clock, signal } = tools
  const started = clock.now()
  try {
    const answer = await egress.request({
      ...request,
      headers: { 'user-agent': userAgent, ...request.headers },
      signal,
      deadlineMs: limits.webhookAnswerMs,
      maxBytes: 4096,
    })
    return { answer, reported: describe(answer, clock.now() - started) }
  } catch (cause) {
    if (!(cause instanceof EgressError)) throw cause
    throw unanswered(`no response after ${clock.now() - started} ms: ${cause.message}`, tools, cause)
  }
}

const unanswered = (reported: string, { aside }: ListenerTools, cause?: EgressError): ApiError =>
  unverified({ field: 'webhook_url', peer: 'receiver' }, reported, { aside, cause })

/** Verifies that the receiver returns the challenge: status 200 and exactly the same bytes. */
export async function verifyListener(url: URL, tools: ListenerTools): Promise<void> {
  const challenge = newId()
  const requested = new URL(url)
  // Not through `searchParams`, which would re-encode the rest of the query.
  requested.search = `${url.search === '' ? '?' : `${url.search}&`}challenge=${challenge}`
  const { answer, reported } = await ask({ url: requested, method: 'GET' }, tools)
  const problem =
    answer.status !== 200
      ? 'status is not ok'
      : answer.body.equals(Buffer.from(challenge))
        ? undefined
        : 'the body is not exactly the challenge'
  if (problem) throw unanswered(`${problem}, ${reported}`, tools)
}

/** Sends a test event. Any 2xx status is a success. */
export async function sendTestEvent(
  url: URL,
  event: { body: Buffer; headers: Record<string, string> },
  tools: ListenerTools,
): Promise<void> {
  const headers = { 'content-type': 'application/json', ...event.headers }
  const { answer, reported } = await ask({ url, method: 'POST', headers, body: event.body }, tools)
  if (answer.status >= 200 && answer.status < 300) return
  throw unanswered(`status is not ok, ${reported}`, tools)
}
