/**
 * Who calls the MCP endpoint: an API key, or an agent with its access token. Nothing else is accepted: no cookie, no
 * password, no token of a grant. Credentials are read at every request, so that a revoked one stops at once on every node.
 */
import { ApprovalKind, KeyOperation } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { isAgentToken } from '../../../agents/oauth/tokens.ts'
import { bearerIn, isRestrictedKey } from '../../../applications/api-keys.ts'
import { type Credential, hasOperation, isInNetworks } from '../../../applications/key-rights.ts'
import { isAccessToken } from '../../../grants/access-tokens.ts'
import type { Caller } from '../../../grants/caller.ts'
import { findAgentHolder } from '../../pipeline/agent-holder.ts'
import { type Authentication, holderOf, restrictedHolder } from '../../pipeline/authenticate.ts'
import { ProtocolFault } from './faults.ts'

/** A caller of the endpoint. It always has a credential with rights, also for an unrestricted key. */
export type McpCaller = Caller & { credential: Credential }

/** How a request presents itself. */
export interface Presented {
  authorization: string | null
  address: string
  /** The application in the path, if it names one. */
  applicationId: string | undefined
  /** The base address of the service. */
  baseUrl: string
}

/** The address of the endpoint, which tokens are bound to. */
export const resourceOf = ({ baseUrl, applicationId }: Pick<Presented, 'baseUrl' | 'applicationId'>): string =>
  applicationId === undefined ? `${baseUrl}/mcp` : `${baseUrl}/mcp/${applicationId}`

const metadataOf = ({ baseUrl, applicationId }: Presented): string => {
  const { origin, pathname } = new URL(resourceOf({ baseUrl, applicationId }))
  return `${origin}/.well-known/oauth-protected-resource${pathname}`
}

/** The challenge of RFC 6750 §3 and RFC 9728 §5.1. `scopes`: the rights that the request needs. */
export function challengeOf(presented: Presented, scopes: readonly string[], error?: string): string {
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    `resource_metadata="${metadataOf(presented)}"`,
    `scope="${scopes.join(' ')}"`,
  ]
  return `Bearer ${parts.join(', ')}`
}

/** The rights of an unrestricted key at this endpoint: all, and a person approves what leaves the account. */
const unrestricted: Credential['rights'] = {
  operations: [...KeyOperation.options],
  approval: [...ApprovalKind.options],
  elicitation: true,
}

/** Finds the caller. Throws a fault with a challenge if there is none. */
export async function findMcpCaller(authentication: Authentication, presented: Presented): Promise<McpCaller> {
  const token = bearerIn(presented.authorization)
  if (token === undefined) throw unauthorized(presented, 'send "Authorization: Bearer <API key or access token>"')
  const caller = await callerOf(authentication, token, presented)
  const credential = caller.credential ?? {
    ...({ type: 'api_key', id: caller.keyId ?? '', name: 'API key', rights: unrestricted } as const),
  }
  // The id of another application looks like one that does not exist.
  if (presented.applicationId !== undefined && presented.applicationId !== caller.id) {
    throw unauthorized(presented, 'the credential belongs to another application', 'invalid_token')
  }
  if (!isInNetworks(credential.rights, presented.address)) {
    throw refused('network_not_allowed', `the credential must not be used from ${presented.address}`)
  }
  if (!caller.mcpEnabled) {
    const how = 'turn it on with PATCH /v3/applications {"mcp_enabled": true}'
    throw refused('mcp_disabled', `the application does not serve MCP: ${how}`)
  }
  if (!hasOperation(credential, 'mcp')) throw missingRights(presented, ['mcp'])
  return { ...caller, credential }
}

async function callerOf(authentication: Authentication, token: string, presented: Presented): Promise<Caller> {
  try {
    if (isAgentToken(token)) return await findAgentHolder(authentication, token, resourceOf(presented))
    if (isRestrictedKey(token)) return await restrictedHolder(authentication, token)
    if (!isAccessToken(token)) return await holderOf(authentication, token)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthorized') {
      throw unauthorized(presented, error.message, 'invalid_token')
    }
    throw error
  }
  throw unauthorized(
    presented,
    'tokens of grants are not accepted here: use an API key, or connect an agent',
    'invalid_token',
  )
}

function unauthorized(presented: Presented, message: string, error?: string): ProtocolFault {
  const headers = { 'www-authenticate': challengeOf(presented, ['mcp'], error) }
  return new ProtocolFault(401, message, { status: 401, headers, data: { type: 'unauthorized' } })
}

const refused = (type: string, message: string): ProtocolFault =>
  new ProtocolFault(403, message, { status: 403, data: { type } })

/** The refusal of a call for which rights are missing. The challenge names them, so that a client can ask for more. */
export function missingRights(presented: Presented, missing: readonly string[]): ProtocolFault {
  const headers = { 'www-authenticate': challengeOf(presented, ['mcp', ...missing], 'insufficient_scope') }
  const data = { type: 'missing_right', missing: [...missing] }
  return new ProtocolFault(403, `the credential lacks the right ${missing.join(', ')}`, { status: 403, headers, data })
}
