import type { CredentialRequest } from '@waypost/contract'
import { seconds } from '@waypost/platform/clock'
import type { CredentialRequestRow } from '@waypost/store/tables/applications/credential-requests'

/** One entry of the request log of a restricted API key or an agent, as the API shows it. */
export const credentialRequestOf = (row: CredentialRequestRow): CredentialRequest => ({
  id: row.id,
  method: row.method,
  operation: row.operation,
  tool: row.tool,
  status: row.status,
  error: row.error,
  grant_id: row.grant_id,
  time: seconds(row.at),
})
