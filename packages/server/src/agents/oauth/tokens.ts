/**
 * Tokens of agents: 256 random bits each, of which only hashes are stored. An access token is valid for an hour, at
 * the endpoint that it was issued for and nowhere else. A refresh token is valid once, for 90 days. Presenting it again
 * revokes its family, because it must have leaked.
 */
import { hash } from 'node:crypto'
import { newId, newToken } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import { type AgentTokenRow, insertAgentToken } from '@waypost/store/tables/agents/agent-tokens'

export const accessTokenSeconds = 3600
export const refreshTokenMs = 90 * 86_400_000

const prefixes = { access: 'wpag_', refresh: 'wpar_' } as const

/** Whether a bearer token has the form of an agent's access token. */
export const isAgentToken = (bearer: string): boolean => bearer.startsWith(prefixes.access)

/** The stored form of tokens and codes. It differs from that of API keys, so that none is ever taken for another. */
export const hashAgentToken = (token: string): string => hash('sha256', `agent ${token}`, 'hex')

export interface Issue extends Pick<AgentTokenRow, 'application_id' | 'agent_id' | 'family' | 'resource'> {
  now: number
}

async function issue(tx: Queries, kind: AgentTokenRow['kind'], { now, ...of }: Issue, lifeMs: number): Promise<string> {
  const token = `${prefixes[kind]}${newToken()}`
  await insertAgentToken(tx, {
    ...of,
    id: newId(),
    kind,
    hash: hashAgentToken(token),
    created_at: now,
    expires_at: now + lifeMs,
    revoked_at: null,
  })
  return token
}

export interface IssuedTokens {
  accessToken: string
  refreshToken: string
}

/** Issues an access token, and the refresh token that is exchanged for the next one. */
export const issueTokens = async (tx: Queries, of: Issue): Promise<IssuedTokens> => ({
  accessToken: await issue(tx, 'access', of, accessTokenSeconds * 1000),
  refreshToken: await issue(tx, 'refresh', of, refreshTokenMs),
})
