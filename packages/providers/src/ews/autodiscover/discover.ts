/**
 * Discovers the server of a mailbox by the steps of `plan.ts`. A server is first asked without credentials and gets
 * them if it requires them, all within one deadline.
 */
import { ApiError } from '@waypost/platform/api-error'
import { findService } from '@waypost/platform/egress/dns'
import type { EgressResponse } from '@waypost/platform/egress/egress'
import { EgressError } from '@waypost/platform/egress/error'
import type { Io } from '../../io.ts'
import type { ProviderAnswer } from '../../shared/exchange.ts'
import { httpError } from '../http-errors.ts'
import { answerBytes, discoveryRequests, readDiscoveryAnswer } from './answers.ts'
import { advance, type Ended, endSearch, type Outcome, type Search, type Step } from './plan.ts'

export interface DiscoveryTools {
  io: Io
  /** Posts with the account's credentials; returns any answer. */
  post(url: string, request: { body: string; maxBytes: number; deadlineMs: number }): Promise<ProviderAnswer>
  findService?: typeof findService
  /** The deadline of the whole search, because a person waits. Default 40 s. */
  searchMs?: number
  /** The deadline of one request. Default 8 s. */
  stepMs?: number
}

export async function discover(begun: Search, tools: DiscoveryTools): Promise<Ended> {
  const { io, searchMs = 40_000 } = tools
  const late = AbortSignal.timeout(searchMs)
  const bounded = { ...tools, io: { ...io, signal: AbortSignal.any([io.signal, late]) } }
  let state: Search | Ended = begun
  while (state.kind === 'searching') {
    const [step] = state.steps
    if (!step || late.aborted) return endSearch(state)
    state = advance(state, await outcomeOf(step, state.address, bounded))
    io.signal.throwIfAborted()
  }
  return state
}

async function outcomeOf(step: Step, address: string, tools: DiscoveryTools): Promise<Outcome> {
  const { io } = tools
  if (step.kind === 'ask') return ask(step, address, tools)
  // If one server replaces all others, it was already asked.
  if (io.providerUrl !== undefined) return { kind: 'nothing' }
  if (step.kind === 'records') {
    const found = await (tools.findService ?? findService)(step.name, io.signal)
    return found ? { kind: 'records', ...found } : { kind: 'nothing' }
  }
  return reached(async () => {
    const { url } = step
    const heard = await io.request({ url, method: 'GET', unprotected: true, ...boundsOf(tools), signal: io.signal })
    return redirectOf(heard) ?? { kind: 'nothing' }
  })
}

const boundsOf = ({ stepMs = 8_000 }: DiscoveryTools) => ({ maxBytes: answerBytes, deadlineMs: stepMs })

function ask({ url, format }: Step & { kind: 'ask' }, address: string, tools: DiscoveryTools): Promise<Outcome> {
  const { io, post } = tools
  const bounds = boundsOf(tools)
  return reached(async () => {
    const { headers, body: bodyFor } = discoveryRequests[format]
    const body = bodyFor(address, url)
    const at = inPlaceOf(url, io.providerUrl)
    const open = await io.request({ url: at, method: 'POST', headers, body, ...bounds, signal: io.signal })
    if (open.status !== 401) return outcomeIn(open)
    const answer = await post(at, { body, ...bounds })
    if (answer.status === 401 || answer.status === 456) return { kind: 'denied', refusal: httpError(answer) }
    return outcomeIn({ ...answer, headers: { location: answer.header('location') ?? '' } })
  })
}

/** The URL itself, or the same path at the server that replaces all others. */
export const inPlaceOf = (url: string, providerUrl: string | undefined): string =>
  providerUrl === undefined ? url : `${providerUrl}${new URL(url).pathname}`

type DiscoveryResponse = Pick<EgressResponse, 'status' | 'headers' | 'body'>

function outcomeIn(answer: DiscoveryResponse): Outcome {
  if (answer.status === 200) return { kind: 'answered', answer: readDiscoveryAnswer(answer.body) }
  return redirectOf(answer) ?? { kind: 'nothing' }
}

const redirects = new Set([301, 302, 303, 307, 308])

function redirectOf({ status, headers }: DiscoveryResponse): Outcome | undefined {
  const { location } = headers
  return redirects.has(status) && typeof location === 'string' ? { kind: 'redirected', location } : undefined
}

/** The outcome for a server that cannot be reached. */
async function reached(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    const reason = error instanceof ApiError ? error.cause : error
    if (!(reason instanceof EgressError)) throw error
    return { kind: reason.reason === 'tls_failed' ? 'certificate' : 'unreachable' }
  }
}
