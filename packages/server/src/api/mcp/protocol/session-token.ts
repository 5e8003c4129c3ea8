/**
 * Sessions of the versions with `initialize`. The id of a session is a sealed token with all that the service must remember:
 * the version and whether the client can ask its user. So every node serves every session, and none is stored. A session
 * gives no access: each request has its own credential, to which the token is bound.
 */
import type { Cursors } from '@waypost/platform/cursor'
import type { Params } from './json-rpc.ts'
import { isObject } from './json-rpc.ts'
import type { McpCaller } from './mcp-caller.ts'

export interface McpSession {
  version: string
  /** Whether the client can ask its user (`elicitation`). */
  canAsk: boolean
}

/** Clients that get 404 begin a new session. */
export const sessionMs = 7 * 86_400_000

const bindingOf = ({ id, credential }: McpCaller): string => `mcp session ${id} ${credential.type} ${credential.id}`

/** Whether a client can show its user a form. A client that names no mode can. */
export function canAskOf({ elicitation }: Params): boolean {
  if (!isObject(elicitation)) return false
  return elicitation.form !== undefined || elicitation.url === undefined
}

export const sealSession = (cursors: Cursors, caller: McpCaller, session: McpSession, now: number): string =>
  cursors.seal([session.version, session.canAsk, now + sessionMs], bindingOf(caller))

/** The session of a token; undefined if it is none of this credential, or expired. */
export function openSession(cursors: Cursors, caller: McpCaller, token: string, now: number): McpSession | undefined {
  const opened = cursors.open(token, bindingOf(caller))
  if (!Array.isArray(opened)) return undefined
  const [version, canAsk, until] = opened
  if (typeof version !== 'string' || typeof canAsk !== 'boolean' || typeof until !== 'number') return undefined
  return until > now ? { version, canAsk } : undefined
}
