import type { ConfigurationDraft, SchedulingPage } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { showConfiguration } from '@waypost/scheduling/configurations/participants'
import {
  type ConfigurationRow,
  listConfigurations,
  listConfigurationsOfGrant,
} from '@waypost/store/tables/scheduling/configurations'
import { scopeOf } from '../../../applications/key-rights.ts'
import {
  changeConfiguration,
  createConfiguration,
  deleteConfiguration,
  needConfiguration,
} from '../../../booking/configuration-changes.ts'
import { type ConfigurationRecord, checkDraft, mergeChange, recordsOf } from '../../../booking/configurations.ts'
import type { Services } from '../../../services/services.ts'
import type { Handlers } from '../../pipeline/handler-types.ts'
import { type ConferenceRequest, conferenceUse } from '../conference-use.ts'
import { createdAfter, cutPage, positionOfCreated } from '../lists/keyset-page.ts'

/** One page; `rows` has one row more than the page if there is a next one. */
async function pageOf<T>(
  { seals }: { seals: DataSeals },
  { rows, limit, show }: { rows: readonly ConfigurationRow[]; limit: number; show(record: ConfigurationRecord): T },
) {
  const page = cutPage(rows, limit, positionOfCreated)
  return { ...page, items: (await recordsOf(seals, page.items)).map(show) }
}

export const configurations = ({ scheduling }: Pick<Services, 'scheduling'>): Handlers['configurations'] => {
  const { database, sessions, conferences } = scheduling
  /** Refuses a conference that bookings could not create, or through a grant that the caller may not use. */
  const checkConferences = async (context: ConferenceRequest, draft: ConfigurationDraft): Promise<void> => {
    const use = conferenceUse(context)
    for (const booking of [draft.event_booking, draft.group_booking]) {
      if (booking?.conferencing?.autocreate?.conf_grant_id) await conferences.check(use, booking.conferencing)
    }
  }
  return {
    list: async ({ grant, query: { limit }, position }) => {
      const at = { applicationId: grant.applicationId, grantId: grant.grant.id }
      const rows = await listConfigurationsOfGrant(database, at, { after: createdAfter(position), limit: limit + 1 })
      return pageOf(scheduling, { rows, limit, show: ({ configuration }) => showConfiguration(configuration) })
    },
    create: async (context) => {
      const { application, grant, body, write } = context
      await checkDraft({ database, sessions, caller: application }, body, grant)
      await checkConferences(context, body)
      return write((tx) => createConfiguration(tx, scheduling, { grant, draft: body }))
    },
    get: async ({ grant, params }) =>
      showConfiguration(
        (await needConfiguration(database, scheduling, { grant, id: params.configuration_id })).configuration,
      ),
    update: async (context) => {
      const { application, grant, params, body, write } = context
      const at = { grant, id: params.configuration_id }
      const { configuration: before } = await needConfiguration(database, scheduling, at)
      if (typeof body.type === 'string' && body.type !== before.type) {
        throw invalidField('type', 'cannot be changed: create another configuration')
      }
      await checkDraft({ database, sessions, caller: application }, mergeChange(before, body), grant)
      await checkConferences(context, body)
      return write((tx) => changeConfiguration(tx, scheduling, { ...at, change: body }))
    },
    delete: ({ grant, params, write }) =>
      write((tx) => deleteConfiguration(tx, scheduling, { grant, id: params.configuration_id })),
  }
}

const schedulingPageOf = ({ configuration, grantId, createdAt, updatedAt }: ConfigurationRecord): SchedulingPage => ({
  ...showConfiguration(configuration),
  grant_id: grantId,
  created_at: seconds(createdAt),
  updated_at: seconds(updatedAt),
})

export const schedulingPages = ({ scheduling }: Pick<Services, 'scheduling'>): Handlers['schedulingPages'] => ({
  list: async ({ application, query: { limit, search }, position }) => {
    const scope = application.credential && scopeOf(application.credential)
    const page = { after: createdAfter(position), limit: limit + 1, words: search, scope }
    const rows = await listConfigurations(scheduling.database, application.id, page)
    return pageOf(scheduling, { rows, limit, show: schedulingPageOf })
  },
})

export const schedulingRedirects: Handlers['schedulingRedirects'] = {
  find: () => {
    throw new ApiError('not_found', 'this service never had booking pages of version 2')
  },
}
