/**
 * The connectors of the sandbox have fixed scopes, which are the maximum for their grants. Neither a request nor the
 * provider's token can go beyond them. Other applications may request any scopes.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { OAuth } from '@waypost/providers/oauth'
import { sandboxScopes } from '@waypost/providers/settings'
import type { Queries } from '@waypost/store/engine/database'
import { getApplication } from '@waypost/store/tables/applications/applications'
import type { ConnectorRow } from '@waypost/store/tables/applications/connectors'

/** The fixed scopes of a connector in canonical spelling. Undefined if they are not fixed. */
export async function fixedScopes(
  queries: Queries,
  connector: ConnectorRow,
  oauth: OAuth | undefined,
): Promise<ReadonlySet<string> | undefined> {
  if (!oauth || !Object.hasOwn(sandboxScopes, connector.provider)) return undefined
  const application = await getApplication(queries, connector.application_id)
  if (application?.environment !== 'sandbox') return undefined
  const fixed: string[] = JSON.parse(connector.scope)
  return new Set([...oauth.identityScope, ...fixed].map(oauth.canonicalScope))
}

/** Refuses scopes beyond the fixed scopes of a connector. */
export async function refuseWiderScopes(
  queries: Queries,
  { connector, oauth }: { connector: ConnectorRow; oauth: OAuth | undefined },
  scopes: readonly string[] | null | undefined,
): Promise<void> {
  if (!oauth || !scopes?.length) return
  const fixed = await fixedScopes(queries, connector, oauth)
  const beyond = fixed ? scopes.filter((scope) => !fixed.has(oauth.canonicalScope(scope))) : []
  if (beyond.length === 0) return
  throw new ApiError(
    'invalid_scope',
    `the sandbox application has fixed scopes, which do not include ${beyond.slice(0, 10).join(' ').slice(0, 400)}: leave them out, or create an application of your own`,
  )
}
