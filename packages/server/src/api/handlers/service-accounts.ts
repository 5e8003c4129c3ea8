/** Service accounts, as owners see them. */

import { listServiceAccounts } from '@waypost/store/tables/applications/service-accounts'
import {
  changeServiceAccount,
  createServiceAccount,
  keysFor,
  needServiceAccount,
  removeServiceAccount,
  serviceAccountOf,
} from '../../applications/service-accounts.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'

export const serviceAccounts = ({
  storage: { database, clock },
  administration: { place },
}: Pick<Services, 'storage' | 'administration'>): Handlers['serviceAccounts'] => ({
  list: async () => (await listServiceAccounts(database)).map((row) => serviceAccountOf(row, clock.now())),
  create: async ({ body, write }) => {
    const keys = await keysFor(body)
    return write((tx) => createServiceAccount(tx, { ...body, keys }, { place, now: clock.now() }))
  },
  get: async ({ params }) =>
    serviceAccountOf(await needServiceAccount(database, params.service_account_id), clock.now()),
  update: ({ params, body, write }) =>
    write((tx) => changeServiceAccount(tx, params.service_account_id, body, clock.now())),
  delete: ({ params, write }) => write((tx) => removeServiceAccount(tx, params.service_account_id)),
})
