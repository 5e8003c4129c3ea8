import type { Acting } from '../applications/acting.ts'
import type { Credential } from '../applications/key-rights.ts'
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
