/**
 * What the service must know again, sealed and left with the client, so that every node can go on. It is bound to the
 * credential and gives no access: each request has its own credential.
 *
 * - The state of a question is also bound to the tool, the arguments and a time. Clients return it as `requestState`
 *   (2026-07-28), or as the id of `elicitation/create` (earlier versions). It works once, because a question is decided
 *   once.
 * - The id of a session of the versions with `initialize` has the version, and whether the client can ask its user.
 */
import { hash } from 'node:crypto'
import type { Cursors } from '@waypost/platform/cursor'
import type { JsonValue } from '@waypost/platform/json/guard'
import { canonicalJson } from '@waypost/platform/json/values'
import type { Answer, Exchange } from './exchange.ts'
import { codes, invalidParams, ProtocolFault } from './faults.ts'
import { isObject, type Params } from './json-rpc.ts'
import type { McpCaller } from './mcp-caller.ts'

/** How long a person may take. */
export const questionMs = 15 * 60_000

const bindingOf = (what: 'question' | 'session', { id, credential }: McpCaller): string =>
  `mcp ${what} ${id} ${credential.type} ${credential.id}`

export interface CalledTool {
  name: string
  args: JsonValue
}

const digestOf = ({ name, args }: CalledTool): string => hash('sha256', `${name}\n${canonicalJson(args)}`, 'base64url')

export function sealQuestion(exchange: Exchange, called: CalledTool, state: JsonValue): string {
  const { cursors, clock } = exchange.mcp.api.storage
  return cursors.seal([digestOf(called), clock.now() + questionMs, state], bindingOf('question', exchange.caller))
}

const refusal = (why: string): ProtocolFault => new ProtocolFault(codes.invalidParams, why)

/** Opens what a client returned. `called` is the call that repeats it; absent for the response to `elicitation/create`. */
export function openQuestion(exchange: Exchange, sealed: string, called?: CalledTool): JsonValue {
  const { cursors, clock } = exchange.mcp.api.storage
  const opened = cursors.open(sealed, bindingOf('question', exchange.caller))
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

interface McpSession {
  version: string
  /** Whether the client can ask its user (`elicitation`). */
  canAsk: boolean
}

/** Clients that get 404 begin a new session. */
export const sessionMs = 7 * 86_400_000

/** Whether a client can show its user a form. A client that names no mode can. */
export function canAskOf({ elicitation }: Params): boolean {
  if (!isObject(elicitation)) return false
  return elicitation.form !== undefined || elicitation.url === undefined
}

export const sealSession = (cursors: Cursors, caller: McpCaller, session: McpSession, now: number): string =>
  cursors.seal([session.version, session.canAsk, now + sessionMs], bindingOf('session', caller))

/** The session of a token; undefined if it is none of this credential, or expired. */
export function openSession(cursors: Cursors, caller: McpCaller, token: string, now: number): McpSession | undefined {
  const opened = cursors.open(token, bindingOf('session', caller))
  if (!Array.isArray(opened)) return undefined
  const [version, canAsk, until] = opened
  if (typeof version !== 'string' || typeof canAsk !== 'boolean' || typeof until !== 'number') return undefined
  return until > now ? { version, canAsk } : undefined
}
