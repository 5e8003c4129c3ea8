import { apiKeyOf, createApiKey } from '../../applications/api-keys.ts'
import { blockApplication, createApplication, needApplication, summarize } from '../../applications/applications.ts'
import { monthStart, summarizeUsage } from '../../grants/usage.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Services } from '../../services/services.ts'
import { getApiKey, listApiKeys, revokeApiKey } from '../../store/api-keys.ts'
import { type ApplicationRow, listApplications, lockApplication } from '../../store/applications.ts'
import { billingPeriodsSince } from '../../store/billing-periods.ts'
import { limitMail } from '../../store/mail-use.ts'
import type { Handlers } from '../context.ts'

export const adminApplications = ({ database, clock, place }: Services): Handlers['adminApplications'] => ({
  list: async () => {
    const rows = await listApplications(database)
    return Promise.all(rows.map((row) => summarize(database, row, place)))
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
})

export const apiKeys = ({ database, clock }: Services): Handlers['apiKeys'] => ({
  list: async ({ params }) => {
    const { id } = await needApplication(database, params.application_id)
    return (await listApiKeys(database, id)).map((row) => apiKeyOf(row, clock.now()))
  },
  create: ({ params, body, write }) =>
    write(async (tx) => {
      const { id, environment } = await needApplication(tx, params.application_id)
      const draft = { name: body.name, expiresInDays: body.expires_in, environment }
      return createApiKey(tx, id, draft, clock.now())
    }),
  get: async ({ params }) => {
    const row = await getApiKey(database, params.application_id, params.id)
    if (!row) throw new ApiError('not_found', 'no API key with this id')
    return apiKeyOf(row, clock.now())
  },
  delete: ({ params, write }) =>
    write(async (tx) => {
      const revoked = await revokeApiKey(tx, params.application_id, params.id, clock.now())
      if (revoked === 0) throw new ApiError('not_found', 'no API key with this id, or it is revoked already')
    }),
})

export const usage = ({ database, clock }: Services): Handlers['usage'] => {
  const usageOf = async (row: ApplicationRow) => {
    const now = clock.now()
    const periods = await billingPeriodsSince(database, row.id, monthStart(now, 11))
    return summarizeUsage({ id: row.id, name: JSON.parse(row.branding).name }, periods, now)
  }
  return {
    list: async ({ query }) => {
      const rows = await listApplications(database)
      return Promise.all(
        rows.filter((row) => query.application_id === undefined || row.id === query.application_id).map(usageOf),
      )
    },
    get: async ({ params }) => usageOf(await needApplication(database, params.application_id)),
  }
}
