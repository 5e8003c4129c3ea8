/** The administrators of the service, people and service accounts, as owners see them; and settings of the installation. */

import type { Queries } from '@waypost/store/engine/database'
import { deleteAdminSessions } from '@waypost/store/tables/applications/admin-sessions'
import { listPeople } from '@waypost/store/tables/applications/people'
import { listServiceAccounts } from '@waypost/store/tables/applications/service-accounts'
import { z } from 'zod'
import { isInstallationPasswordOn, switchInstallationPassword } from '../../applications/administrator.ts'
import { keysOfPerson, needKeyCreator } from '../../applications/api-keys.ts'
import {
  changePerson,
  invitePerson,
  needPerson,
  personOf,
  removePerson,
  renewInvitation,
} from '../../applications/people.ts'
import { removeTotp } from '../../applications/second-factor.ts'
import {
  needNoSecondFactorOfOwners,
  needRemovable,
  requireSecondFactor,
  secondFactorRoles,
} from '../../applications/second-factor-policy.ts'
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
import { cutPage } from './lists/keyset-page.ts'

export const people = ({
  storage: { database, clock },
  config,
}: Pick<Services, 'config' | 'storage'>): Handlers['people'] => ({
  list: async ({ query, position }) => {
    const search = { text: query.search, role: query.role, state: query.state }
    const after = position === undefined ? undefined : z.string().parse(position)
    const rows = await listPeople(database, database.engine, { search, after, limit: query.limit + 1 })
    const page = cutPage(rows, query.limit, ({ email }) => email)
    return { ...page, items: await Promise.all(page.items.map((row) => personOf(database, row, clock.now()))) }
  },
  create: ({ body, write }) => write((tx) => invitePerson(tx, body, { baseUrl: config.baseUrl, now: clock.now() })),
  get: async ({ params }) => personOf(database, await needPerson(database, params.person_id), clock.now()),
  update: ({ acting, params, body, write }) =>
    write(async (tx) => {
      const now = clock.now()
      const person = await changePerson(tx, params.person_id, body, now)
      const revoker = body.revoke_api_keys === true ? acting : undefined
      return { ...person, ...(await keysOfPerson(tx, params.person_id, { revoker, now })) }
    }),
  delete: ({ acting, params, query, write }) =>
    write(async (tx) => {
      const now = clock.now()
      await removePerson(tx, params.person_id, now)
      const revoker = query.revoke_api_keys === true ? acting : undefined
      return keysOfPerson(tx, params.person_id, { revoker, now })
    }),
  keys: async ({ params }) => {
    await needKeyCreator(database, params.person_id)
    return (await keysOfPerson(database, params.person_id, { now: clock.now() })).api_keys
  },
  revokeKeys: ({ acting, params, write }) =>
    write(async (tx) => {
      await needKeyCreator(tx, params.person_id)
      return keysOfPerson(tx, params.person_id, { revoker: acting, now: clock.now() })
    }),
  invite: ({ params, write }) =>
    write((tx) => renewInvitation(tx, params.person_id, { baseUrl: config.baseUrl, now: clock.now() })),
  removeTotp: ({ acting, params, write }) =>
    write(async (tx) => {
      const { id, role } = await needPerson(tx, params.person_id)
      if (id === acting.person?.id) await needRemovable(tx, role)
      await removeTotp(tx, params.person_id, clock.now())
      await deleteAdminSessions(tx, params.person_id)
    }),
})

export const installation = (services: Pick<Services, 'storage' | 'administration'>): Handlers['installation'] => {
  const { database, clock } = services.storage
  const reported = async (queries: Queries) => ({
    installation_password: await isInstallationPasswordOn(queries),
    password_of_settings: services.administration.installation.passwordIsSet,
    second_factor_required_for: [...(await secondFactorRoles(queries))],
  })
  return {
    get: () => reported(database),
    update: ({ acting, body, write }) =>
      write(async (tx) => {
        const now = clock.now()
        const { installation_password: on, second_factor_required_for: roles } = body
        if (on === false) await switchInstallationPassword(tx, on, now)
        if (roles) await requireSecondFactor(tx, roles, { acting, now })
        if (on === true) {
          await needNoSecondFactorOfOwners(tx)
          await switchInstallationPassword(tx, on, now)
        }
        return reported(tx)
      }),
  }
}

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
