/** The people who administer the service, as owners see them; and what owners set for the installation. */
import { z } from 'zod'
import { isInstallationPasswordOn, switchInstallationPassword } from '../../applications/administrator.ts'
import {
  changePerson,
  invitePerson,
  needPerson,
  personOf,
  removePerson,
  renewInvitation,
} from '../../applications/people.ts'
import { removeTotp } from '../../applications/second-factor.ts'
import type { Services } from '../../services/services.ts'
import { deleteAdminSessions } from '../../store/admin-sessions.ts'
import type { Queries } from '../../store/database.ts'
import { listPeople } from '../../store/people.ts'
import type { Handlers } from '../context.ts'

export const people = ({ database, clock, config }: Services): Handlers['people'] => ({
  list: async ({ query, position }) => {
    const search = { text: query.search, role: query.role, state: query.state }
    const after = position === undefined ? undefined : z.string().parse(position)
    const rows = await listPeople(database, database.engine, { search, after, limit: query.limit + 1 })
    const page = rows.slice(0, query.limit)
    const last = page.at(-1)
    const items = await Promise.all(page.map((row) => personOf(database, row, clock.now())))
    return rows.length > page.length && last ? { items, next: last.email } : { items }
  },
  create: ({ body, write }) => write((tx) => invitePerson(tx, body, { baseUrl: config.baseUrl, now: clock.now() })),
  get: async ({ params }) => personOf(database, await needPerson(database, params.person_id), clock.now()),
  update: ({ params, body, write }) => write((tx) => changePerson(tx, params.person_id, body, clock.now())),
  delete: ({ params, write }) => write((tx) => removePerson(tx, params.person_id, clock.now())),
  invite: ({ params, write }) =>
    write((tx) => renewInvitation(tx, params.person_id, { baseUrl: config.baseUrl, now: clock.now() })),
  removeTotp: ({ params, write }) =>
    write(async (tx) => {
      await needPerson(tx, params.person_id)
      await removeTotp(tx, params.person_id, clock.now())
      await deleteAdminSessions(tx, params.person_id)
    }),
})

export const installation = (services: Services): Handlers['installation'] => {
  const { database, clock } = services
  const told = async (queries: Queries) => ({
    installation_password: await isInstallationPasswordOn(queries),
    password_of_settings: services.installation.passwordIsSet,
  })
  return {
    get: () => told(database),
    update: ({ body, write }) =>
      write(async (tx) => {
        await switchInstallationPassword(tx, body.installation_password, clock.now())
        return told(tx)
      }),
  }
}
