/**
 * The state of a question while it is at the client: sealed, and bound to the credential, the tool, the arguments and a
 * time. Clients return it as `requestState` (2026-07-28), or as the id of `elicitation/create` (earlier versions). It works
 * once, because a question is decided once.
 */
import { hash } from 'node:crypto'
import type { JsonValue } from '@waypost/platform/json/guard'
import { canonicalJson } from '@waypost/platform/json/values'
import type { Answer, Exchange } from './exchange.ts'
import { codes, invalidParams, ProtocolFault } from './faults.ts'
import { isObject, type Params } from './json-rpc.ts'

/** How long a person may take. */
export const questionMs = 15 * 60_000

const bindingOf = ({ caller: { id, credential } }: Exchange): string =>
  `mcp question ${id} ${credential.type} ${credential.id}`

export interface CalledTool {
  name: string
  args: JsonValue
}

const digestOf = ({ name, args }: CalledTool): string => hash('sha256', `${name}\n${canonicalJson(args)}`, 'base64url')

export function sealQuestion(exchange: Exchange, called: CalledTool, state: JsonValue): string {
  const { cursors, clock } = exchange.mcp.api.storage
  return cursors.seal([digestOf(called), clock.now() + questionMs, state], bindingOf(exchange))
}

const refusal = (why: string): ProtocolFault => new ProtocolFault(codes.invalidParams, why)

/** Opens what a client returned. `called` is the call that repeats it; absent for the response to `elicitation/create`. */
export function openQuestion(exchange: Exchange, sealed: string, called?: CalledTool): JsonValue {
  const { cursors, clock } = exchange.mcp.api.storage
  const opened = cursors.open(sealed, bindingOf(exchange))
  if (!Array.isArray(opened)) throw refusal('requestState is not valid for this credential')
  const [digest, until, state = null] = opened
  if (called && digest !== digestOf(called)) throw refusal('requestState belongs to another call: repeat it unchanged')
  if (typeof until !== 'number' || until <= clock.now()) throw refusal('requestState has expired: call the tool again')
  return state
}

/** The answer of a person in the result of an elicitation. */
export function answerIn(result: Params): Answer {
  const { action, content } = result
  if (action === 'decline' || action === 'cancel') return { action }
  if (action === 'accept') return { action, content: isObject(content) ? content : {} }
  throw invalidParams('the answer to an elicitation needs the action accept, decline or cancel', 400)
}
