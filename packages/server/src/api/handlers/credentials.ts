import type { Credential } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import type { Providers } from '@waypost/providers/registry'
import type { Queries } from '@waypost/store/engine/database'
import { lockApplication } from '@waypost/store/tables/applications/applications'
import type { ConnectorRow } from '@waypost/store/tables/applications/connectors'
import { deleteCredential, listCredentials } from '@waypost/store/tables/applications/credentials'
import { grantsOfCredential } from '@waypost/store/tables/grants/grants'
import { needConnector } from '../../applications/connectors.ts'
import {
  changeCredential,
  clientOf,
  createCredential,
  credentialOf,
  needCredential,
} from '../../applications/credentials.ts'
import { loseAccess } from '../../grants/grants.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import { offsetPage } from './connectors.ts'

/** Refuses an admin consent that cannot be given; the transaction is rolled back. */
async function checkConsent(
  tx: Queries,
  { connector, credential }: { connector: ConnectorRow; credential: Credential },
  { providers, secrets }: { providers: Providers; secrets: Secrets },
): Promise<Credential> {
  if (credential.credential_type === 'adminconsent') {
    const client = await clientOf(tx, secrets, connector, credential.id)
    providers[connector.provider]?.oauth?.adminConsent?.check(client)
  }
  return credential
}

export const credentials = ({
  storage: { database, clock, secrets, log },
  accounts: { providers },
  notifications: { notify },
}: Pick<Services, 'storage' | 'accounts' | 'notifications'>): Handlers['credentials'] => ({
  list: async ({ application, params, query, position }) => {
    const connector = await needConnector(database, application.id, params.provider)
    const rows = await listCredentials(database, application.id, connector.id)
    const by = query.sort_by ?? 'created_at'
    const sign = (query.order_by ?? 'desc') === 'desc' ? -1 : 1
    const sorted = rows.toSorted((a, b) => sign * (a[by] - b[by] || (a.id < b.id ? -1 : 1)))
    return offsetPage(sorted.map(credentialOf), query, position)
  },
  create: ({ application, params, body, write }) =>
    write(async (tx) => {
      const connector = await needConnector(tx, application.id, params.provider)
      const made = await createCredential(tx, connector, body, { secrets, now: clock.now() })
      return checkConsent(tx, { connector, credential: made }, { providers, secrets })
    }),
  get: async ({ application, params }) => {
    const connector = await needConnector(database, application.id, params.provider)
    return credentialOf(await needCredential(database, connector, params.id))
  },
  update: ({ application, params, body, write }) =>
    write(async (tx) => {
      await lockApplication(tx, application.id)
      const connector = await needConnector(tx, application.id, params.provider)
      const row = await needCredential(tx, connector, params.id)
      const changed = await changeCredential(tx, row, body, { secrets, now: clock.now() })
      return body.credential_data
        ? checkConsent(tx, { connector, credential: changed }, { providers, secrets })
        : changed
    }),
  delete: ({ application, params, write, requestId }) =>
    write(async (tx) => {
      await lockApplication(tx, application.id)
      const connector = await needConnector(tx, application.id, params.provider)
      const row = await needCredential(tx, connector, params.id)
      if (connector.active_credential_id === row.id) {
        throw invalidField('id', 'this is the active credential of the connector: make another one active first')
      }
      for (const grant of await grantsOfCredential(tx, application.id, row.id)) {
        await loseAccess(
          tx,
          grant,
          { reason: 'credential_deleted' },
          { secrets, log, notify, now: clock.now(), requestId },
        )
      }
      await deleteCredential(tx, { applicationId: application.id, connectorId: connector.id, id: row.id })
    }),
})
