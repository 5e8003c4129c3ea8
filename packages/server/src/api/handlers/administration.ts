import { limits } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { countWaitingApprovals } from '@waypost/store/tables/agents/approvals'
import { getApiKey, listApiKeys, revokeApiKey } from '@waypost/store/tables/applications/api-keys'
import {
  type ApplicationRow,
  lockApplication,
  searchApplications,
} from '@waypost/store/tables/applications/applications'
import { billedByMonth } from '@waypost/store/tables/applications/billing-periods'
import { limitMail } from '@waypost/store/tables/mail/mail-use'
import { apiKeyOf, createApiKey, createdByActing, updateApiKey } from '../../applications/api-keys.ts'
import { blockApplication, createApplication, needApplication, summarize } from '../../applications/applications.ts'
import { needValidRights } from '../../applications/key-rights.ts'
import { reaches } from '../../applications/rights.ts'
import { summarizeUsage } from '../../grants/usage.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import { requestsOf } from './lists/credential-requests.ts'
import { pageOf, placeOf } from './lists/keyset-page.ts'

/** The default page size. */
const defaultPageSize = 50
const lengthOf = ({ limit }: { limit?: number | undefined }): number =>
  Math.min(limit ?? defaultPageSize, limits.pageMax)

export const adminApplications = ({
  storage: { database, clock },
  administration: { place },
}: Pick<Services, 'storage' | 'administration'>): Handlers['adminApplications'] => ({
  list: async ({ acting, query, position }) => {
    const { search: text, application_id: named, environment, blocked, sort = 'created_at', order = 'asc' } = query
    const { applications } = acting.rights
    const ids = applications === 'all' ? named : (named ?? applications).filter((id) => reaches(acting.rights, id))
    const requested = { search: { text, ids, environment, blocked }, sort, order }
    const page = { after: placeOf(position), limit: lengthOf(query) }
    const found = await searchApplications(database, database.engine, requested, page)
    return pageOf(found, await Promise.all(found.rows.map((row) => summarize(database, row, place))))
  },
  create: ({ body, write }) =>
    write(async (tx) => summarize(tx, await createApplication(tx, body, clock.now()), place)),
  get: async ({ params }) => summarize(database, await needApplication(database, params.application_id), place),
  update: ({ params, body, write }) =>
    write(async (tx) => {
      const { application_id: id } = params
      await lockApplication(tx, id)
      let row = await needApplication(tx, id)
      if (body.blocked !== undefined) row = await blockApplication(tx, id, body.blocked, clock.now())
      if (body.mail_per_day !== undefined) await limitMail(tx, id, body.mail_per_day)
      return summarize(tx, row, place)
    }),
  countApprovals: async ({ params }) => {
    const { id } = await needApplication(database, params.application_id)
    return countWaitingApprovals(database, id)
  },
})

export const apiKeys = ({
  storage: { database, clock },
  telemetry: { credentialLog },
}: Pick<Services, 'storage' | 'telemetry'>): Handlers['apiKeys'] => ({
  list: async ({ params }) => {
    const { id } = await needApplication(database, params.application_id)
    return (await listApiKeys(database, id)).map((row) => apiKeyOf(row, clock.now()))
  },
  create: ({ acting, params, body, write }) =>
    write(async (tx) => {
      const { id, environment } = await needApplication(tx, params.application_id)
      if (body.rights) await needValidRights(tx, id, body.rights)
      const draft = {
        name: body.name,
        expiresInDays: body.expires_in,
        environment,
        rights: body.rights,
        createdBy: createdByActing(acting),
      }
      return createApiKey(tx, id, draft, clock.now())
    }),
  get: async ({ params }) => {
    const row = await getApiKey(database, params.application_id, params.id)
    if (!row) throw new ApiError('not_found', 'no API key with this id')
    return apiKeyOf(row, clock.now())
  },
  update: ({ params: { application_id: applicationId, id }, body, write }) =>
    write(async (tx) => {
      if (body.rights) await needValidRights(tx, applicationId, body.rights)
      return updateApiKey(tx, { applicationId, id }, body, clock.now())
    }),
  delete: ({ params, write }) =>
    write(async (tx) => {
      const revoked = await revokeApiKey(tx, params.application_id, params.id, clock.now())
      if (revoked === 0) throw new ApiError('not_found', 'no API key with this id, or it is revoked already')
    }),
  requests: async ({ params, query, position }) => {
    const key = await getApiKey(database, params.application_id, params.id)
    if (!key) throw new ApiError('not_found', 'no API key with this id')
    const of = { applicationId: key.application_id, credentialId: key.id }
    return requestsOf({ database, credentialLog }, of, { query, position })
  },
})

export const usage = ({ storage: { database, clock } }: Pick<Services, 'storage'>): Handlers['usage'] => {
  const usageOf = async (row: ApplicationRow) => {
    const name = JSON.parse(row.branding).name
    return summarizeUsage({ id: row.id, name }, await billedByMonth(database, row.id), clock.now())
  }
  return {
    list: async ({ acting, query, position }) => {
      const { applications } = acting.rights
      const named = query.application_id === undefined ? undefined : [query.application_id]
      const ids = applications === 'all' ? named : (named ?? applications).filter((id) => reaches(acting.rights, id))
      const page = { after: placeOf(position), limit: lengthOf(query) }
      const requested = { search: { ids }, sort: 'created_at', order: 'asc' } as const
      const found = await searchApplications(database, database.engine, requested, page)
      return pageOf(found, await Promise.all(found.rows.map(usageOf)))
    },
    get: async ({ params }) => usageOf(await needApplication(database, params.application_id)),
  }
}
