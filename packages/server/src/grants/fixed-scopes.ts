/**
 * The connectors of the sandbox have fixed scopes, which are the maximum for their grants. Neither a request nor the
 * provider's token can go beyond them. Other applications may request any scopes.
 */
import { ApiError } from '../lib/api-error.ts'
import type { OAuth } from '../providers/oauth.ts'
import { sandboxScopes } from '../providers/settings.ts'
import type { Queries } from '../store/engine/database.ts'
import { getApplication } from '../store/tables/applications/applications.ts'
import type { ConnectorRow } from '../store/tables/applications/connectors.ts'

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
