/**
 * The sandbox's connectors are fixed to their scopes: they are the most that a grant of theirs has. Neither what a request
 * asks for nor what a provider's token happens to have goes beyond them. Other applications ask for what they like.
 */
import { ApiError } from '../lib/api-error.ts'
import type { OAuth } from '../providers/oauth.ts'
import { sandboxScopes } from '../providers/settings.ts'
import type { Queries } from '../store/engine/database.ts'
import { getApplication } from '../store/tables/applications/applications.ts'
import type { ConnectorRow } from '../store/tables/applications/connectors.ts'

/** The scopes that a connector is fixed to, in their one spelling; undefined where it is not. */
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

/** Refuses scopes beyond those that a connector is fixed to. */
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
    `the sandbox application is fixed to the scopes of its connector, which lack ${beyond.slice(0, 10).join(' ').slice(0, 400)}: leave them out, or make an application of your own`,
  )
}
