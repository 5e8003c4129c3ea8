/**
 * Answers that are made while the store is asked who holds the key: for who held it when the same connection showed it last,
 * so that both questions leave together, and a request waits for one way to the store and back instead of two. Such an
 * answer is told only where the store names the same holder, with the same rights; else it is thrown away, and the request
 * goes its usual way. What it holds was read after the request had come.
 */
import type { Ready } from '../../lib/ready.ts'
import { noPayload } from '../http/payload.ts'
import { queryOf } from '../http/query.ts'
import { type Caller, lastCallerOf } from './authenticate.ts'
import { type Handled, handleRequest, type ServedRoute } from './handle-request.ts'
import type { PipelineContext } from './pipeline-context.ts'
import type { Incoming, Parties } from './request-admission.ts'

/** Routes that read our own tables and nothing else, with one statement after the look for the key. */
const early: ReadonlySet<string> = new Set(['grants.list'])

/** The answer for the caller that the store names, where one was made for just this one. */
export type EarlyAnswer = (caller: Caller | undefined) => Ready<Handled> | undefined

/** Begins the answer to a request that waits to be admitted; undefined where nothing is known of who asks. */
export function answerEarly(
  pipeline: PipelineContext,
  served: ServedRoute,
  incoming: Incoming,
  parties: Parties,
): EarlyAnswer | undefined {
  const assumed = early.has(served.named.id) ? lastCallerOf(incoming.request) : undefined
  if (!assumed) return undefined
  try {
    const query = queryOf(served, incoming)
    const input = { ...parties, caller: assumed, incoming, query, payload: noPayload, outside: {} }
    const answer = handleRequest(pipeline, served, input)
    // Its failure counts where it is told.
    if (answer instanceof Promise) answer.catch(() => undefined)
    return (caller) => (caller && isSame(caller, assumed) ? answer : undefined)
  } catch {
    // What is wrong with a request is told to who was admitted.
    return undefined
  }
}

function isSame(caller: Caller, assumed: Caller): boolean {
  const names = Object.keys(caller) as (keyof Caller)[]
  return names.length === Object.keys(assumed).length && names.every((name) => caller[name] === assumed[name])
}
