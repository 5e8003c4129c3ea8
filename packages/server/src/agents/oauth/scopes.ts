/**
 * OAuth scopes are the operations of restricted credentials. Operations that need all grants of an application are not
 * for agents. The person decides: a scope that a client asks for is an offer on the consent page, not a right. Pure.
 */
import { KeyOperation, resembles } from '@waypost/contract'
import { OAuthError } from './oauth-error.ts'

const notForAgents: ReadonlySet<KeyOperation> = new Set<KeyOperation>(['webhooks', 'administration', 'mcp'])

export const agentScopes: readonly KeyOperation[] = KeyOperation.options.filter((scope) => !notForAgents.has(scope))

/** Scopes that change or send something that is hard to take back. The consent page marks them. */
export const dangerousScopes: ReadonlySet<KeyOperation> = new Set<KeyOperation>([
  'mail.send',
  'mail.delete',
  'calendar.write',
  'contacts.write',
  'scheduling',
])

/**
 * The scopes that a request offers to the person. Those of other services are ignored; none of ours means all. A misspelled
 * one is refused: a client that asks for little must not be offered everything.
 */
export function offeredScopes(scope: string | undefined): readonly KeyOperation[] {
  const requested = new Set((scope ?? '').split(' '))
  const ours: readonly string[] = KeyOperation.options
  for (const each of requested) {
    const meant = ours.includes(each) ? undefined : ours.find((scope) => resembles(each, scope))
    if (meant !== undefined) {
      throw new OAuthError('invalid_scope', `scope: "${each}" is not a scope. Did you mean ${meant}?`)
    }
  }
  const known = agentScopes.filter((each) => requested.has(each))
  return known.length > 0 ? known : agentScopes
}

/** The scopes that are chosen already: all of a specific request; of a request for everything only harmless ones. */
export const chosenScopes = (offered: readonly KeyOperation[]): readonly KeyOperation[] =>
  offered.length < agentScopes.length ? offered : offered.filter((scope) => !dangerousScopes.has(scope))
