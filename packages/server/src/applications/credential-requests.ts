import type { CredentialRequest } from '@waypost/contract'
import { seconds } from '../lib/clock.ts'
import type { CredentialRequestRow } from '../store/tables/applications/credential-requests.ts'

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
