import { ApiError } from '@waypost/platform/api-error'
import type { Queries } from '@waypost/store/engine/database'
import { findGrant, type Locator } from '@waypost/store/tables/grants/grants'
import type { Acting } from '../applications/acting.ts'
import { type Credential, isLimited, mayUseGrant } from '../applications/key-rights.ts'
import type { Owner } from './verify-credentials.ts'

/**
 * The application that a request is made for. `settings` is the document of `applications/settings.ts`, parsed only where a
 * setting is needed. `grantId`: the caller has an access token, which opens this grant alone. `acting`: an administrator
 * calls for the application. `credential`: the caller is a restricted key or an agent, whose rights the pipeline enforces.
 * `mcpEnabled`: the MCP endpoint serves the application; absent where nothing depends on it.
 */
export type Caller = Owner & {
  environment: string
  settings: string
  keyId?: string
  grantId?: string
  mcpEnabled?: boolean
  acting?: Acting
  credential?: Credential
}

interface ApplicationFacts {
  application_id: string
  default_workspace_id: string
  grant_limit: number | null
  environment: string
  additional_settings: string
  mcp_enabled?: number
}

/** The application itself as a caller. */
export const ownerOf = (row: ApplicationFacts, keyId?: string): Caller => ({
  id: row.application_id,
  workspaceId: row.default_workspace_id,
  grantLimit: row.grant_limit,
  environment: row.environment,
  settings: row.additional_settings,
  mcpEnabled: row.mcp_enabled === 1,
  ...(keyId === undefined ? undefined : { keyId }),
})

/** An application, and the restricted credential that calls for it. */
export interface ReachingCaller {
  id: string
  credential?: Credential | undefined
}

/** Whether a caller may use a grant. Reads nothing for callers without limits. */
export async function isInReach(
  queries: Queries,
  { id, credential }: ReachingCaller,
  locator: Locator,
): Promise<boolean> {
  if (!credential || !isLimited(credential)) return true
  const record = await findGrant(queries, id, locator)
  return record !== undefined && mayUseGrant(credential, record.grant)
}

/** Throws if a caller may not use a grant, before anything is said about its state. */
export async function needInReach(queries: Queries, caller: ReachingCaller, locator: Locator): Promise<void> {
  if (!(await isInReach(queries, caller, locator))) throw new ApiError('grant_not_found')
}
