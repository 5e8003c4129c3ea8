/** `waypost keys requests`: the request log of a restricted API key. */

import { ApiError } from '@waypost/platform/api-error'
import { getApiKey } from '@waypost/store/tables/applications/api-keys'
import { listCredentialRequests } from '@waypost/store/tables/applications/credential-requests'
import { credentialRequestOf } from '../telemetry/credential-log.ts'
import { findApplication } from './named-application.ts'
import { needWord, numberOption, type StoreRun, textOption } from './program/command.ts'
import { printList } from './program/output.ts'
import { usualLimit } from './table/options.ts'

const shownTime = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '')

export const keysRequests: StoreRun = async (services, args, output) => {
  const { database } = services.storage
  const credentialId = needWord(args, 0, 'KEY_ID')
  const limit = numberOption(args, 'limit', usualLimit)
  const { id: applicationId } = await findApplication(services, args)
  const key = await getApiKey(database, applicationId, credentialId)
  if (!key) throw new ApiError('not_found', 'no such key in this application')
  const outcome = args.options.failed === true ? ('failed' as const) : undefined
  const filter = { applicationId, credentialId, outcome, grantId: textOption(args, 'grant') }
  const { rows } = await listCredentialRequests(database, filter, { limit: limit + 1 })
  const requests = rows.map(credentialRequestOf)
  const shown = requests.map(({ time, ...request }) => ({ time: shownTime(time), ...request }))
  const columns = ['time', 'method', 'operation', 'tool', 'status', 'error', 'grant_id', 'id']
  printList(output, output.json ? requests : shown, { columns, empty: 'No requests of this key.', limit })
}
