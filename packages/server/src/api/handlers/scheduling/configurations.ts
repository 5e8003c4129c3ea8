import { type Configuration, type ConfigurationDraft, limits, type SchedulingPage } from '@waypost/contract'
import { ApiError, invalidField, invalidFields } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { isUuid, newId } from '@waypost/platform/ids'
import { checkConfiguration } from '@waypost/scheduling/configurations/check'
import { completeConfiguration } from '@waypost/scheduling/configurations/complete'
import { showConfiguration } from '@waypost/scheduling/configurations/show'
import type { Queries } from '@waypost/store/engine/database'
import { lockApplication } from '@waypost/store/tables/applications/applications'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { hasUpcomingBookings } from '@waypost/store/tables/scheduling/bookings'
import {
  type ConfigurationRow,
  closeConfiguration,
  countConfigurations,
  getConfigurationBySlug,
  insertConfiguration,
  listConfigurations,
  listConfigurationsOfGrant,
  lockConfiguration,
  removeConfiguration,
  updateConfiguration,
} from '@waypost/store/tables/scheduling/configurations'
import { countSchedulingSessions } from '@waypost/store/tables/scheduling/sessions'
import { scopeOf } from '../../../applications/key-rights.ts'
import {
  type ConfigurationRecord,
  checkDraft,
  findConfiguration,
  mergeChange,
  recordsOf,
  sealConfiguration,
} from '../../../booking/configurations.ts'
import type { Services } from '../../../services/services.ts'
import type { Handlers } from '../../pipeline/handler-types.ts'
import { type ConferenceRequest, conferenceUse } from '../conference-use.ts'
import { placeOf } from '../signatures.ts'

/** The part of a row that follows from the configuration. */
const columnsOf = ({ slug, name, type, requires_session_auth }: Configuration) => ({
  ...{ slug, name, type },
  requires_session_auth: requires_session_auth ? 1 : 0,
})

/** Two requests can claim a slug at the same time; the lock on the application lets the second one see the first. */
async function needFreeSlug(tx: Queries, applicationId: string, { id, slug }: Configuration): Promise<void> {
  if (slug === null) return
  const holder = await getConfigurationBySlug(tx, applicationId, slug)
  if (holder && holder.id !== id) {
    throw invalidField('slug', 'another configuration of this application has this slug; choose another one')
  }
}

async function needConfiguration(
  services: Pick<Services, 'storage'>,
  queries: Queries,
  { grant, id }: { grant: GrantRecord; id: string },
): Promise<ConfigurationRecord> {
  const { applicationId } = grant
  const record = isUuid(id)
    ? await findConfiguration({ queries, seals: services.storage.seals }, { applicationId, id })
    : undefined
  if (!record || record.grantId !== grant.grant.id || record.removedAt !== null) throw new ApiError('not_found')
  return record
}

/** One page; `rows` has one row more than the page if there is a next one. */
async function pageOf<T>(
  { storage: { seals } }: Pick<Services, 'storage'>,
  { rows, limit, show }: { rows: readonly ConfigurationRow[]; limit: number; show(record: ConfigurationRecord): T },
) {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last ? { next: [last.created_at, last.id] } : {}
  return { items: (await recordsOf(seals, shown)).map(show), ...next }
}

async function insertNew(
  tx: Queries,
  { storage: { seals, clock } }: Pick<Services, 'storage'>,
  { grant, draft }: { grant: GrantRecord; draft: ConfigurationDraft },
): Promise<Configuration> {
  const { applicationId } = grant
  const grantId = grant.grant.id
  const configuration = completeConfiguration(newId(), draft)
  // Locks the application, so that the slug stays free and the count correct.
  await lockApplication(tx, applicationId)
  await needFreeSlug(tx, applicationId, configuration)
  if ((await countConfigurations(tx, { applicationId, grantId })) >= limits.schedulerConfigurations) {
    const problem = `the grant has ${limits.schedulerConfigurations} configurations, which is the limit`
    throw invalidField('configurations', problem)
  }
  const now = clock.now()
  await insertConfiguration(tx, {
    ...columnsOf(configuration),
    id: configuration.id,
    application_id: applicationId,
    grant_id: grantId,
    sealed_document: sealConfiguration(seals, { applicationId, configuration }),
    created_at: now,
    updated_at: now,
    removed_at: null,
  })
  return showConfiguration(configuration)
}

/** Refuses while sessions are active. A configuration with upcoming bookings stays for them; its page is closed. */
async function remove(tx: Queries, { applicationId, id }: ConfigurationRecord, now: number): Promise<void> {
  // No session begins meanwhile.
  if (!(await lockConfiguration(tx, applicationId, id))) throw new ApiError('not_found')
  const active = await countSchedulingSessions(tx, { applicationId, configurationId: id, now })
  if (active > 0) {
    const remedy = 'delete them with DELETE /v3/scheduling/sessions/<session_id>, or wait until they expire'
    throw new ApiError('invalid_request', `the configuration has ${active} active sessions: ${remedy}`)
  }
  const isNeeded = await hasUpcomingBookings(tx, { applicationId, configurationId: id }, seconds(now))
  if (isNeeded) await closeConfiguration(tx, { applicationId, id, now })
  else await removeConfiguration(tx, applicationId, id)
}

export const configurations = (services: Pick<Services, 'storage' | 'accounts'>): Handlers['configurations'] => {
  const { database, seals, clock } = services.storage
  const { sessions, conferences } = services.accounts
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
      const rows = await listConfigurationsOfGrant(database, at, { after: placeOf(position), limit: limit + 1 })
      return pageOf(services, { rows, limit, show: ({ configuration }) => showConfiguration(configuration) })
    },
    create: async (context) => {
      const { application, grant, body, write } = context
      await checkDraft({ database, sessions, caller: application }, body, grant)
      await checkConferences(context, body)
      return write((tx) => insertNew(tx, services, { grant, draft: body }))
    },
    get: async ({ grant, params }) =>
      showConfiguration(
        (await needConfiguration(services, database, { grant, id: params.configuration_id })).configuration,
      ),
    update: async (context) => {
      const { application, grant, params, body, write } = context
      const { applicationId } = grant
      const at = { grant, id: params.configuration_id }
      const before = await needConfiguration(services, database, at)
      if (typeof body.type === 'string' && body.type !== before.configuration.type) {
        throw invalidField('type', 'cannot be changed: create another configuration')
      }
      await checkDraft({ database, sessions, caller: application }, mergeChange(before.configuration, body), grant)
      await checkConferences(context, body)
      return write(async (tx) => {
        await lockApplication(tx, applicationId)
        const { configuration: now } = await needConfiguration(services, tx, at)
        const draft = mergeChange(now, body)
        // Another request may have changed it since the check.
        const problems = checkConfiguration(draft)
        if (Object.keys(problems).length > 0) throw invalidFields(problems)
        const configuration = completeConfiguration(now.id, draft)
        await needFreeSlug(tx, applicationId, configuration)
        await updateConfiguration(tx, {
          ...columnsOf(configuration),
          ...{ id: now.id, application_id: applicationId, updated_at: clock.now() },
          sealed_document: sealConfiguration(seals, { applicationId, configuration }),
        })
        return showConfiguration(configuration)
      })
    },
    delete: ({ grant, params, write }) =>
      write(async (tx) => {
        await remove(tx, await needConfiguration(services, tx, { grant, id: params.configuration_id }), clock.now())
      }),
  }
}

const schedulingPageOf = ({ configuration, grantId, createdAt, updatedAt }: ConfigurationRecord): SchedulingPage => ({
  ...showConfiguration(configuration),
  grant_id: grantId,
  created_at: seconds(createdAt),
  updated_at: seconds(updatedAt),
})

export const schedulingPages = (services: Pick<Services, 'storage'>): Handlers['schedulingPages'] => ({
  list: async ({ application, query: { limit, search }, position }) => {
    const scope = application.credential && scopeOf(application.credential)
    const page = { after: placeOf(position), limit: limit + 1, words: search, scope }
    const rows = await listConfigurations(services.storage.database, application.id, page)
    return pageOf(services, { rows, limit, show: schedulingPageOf })
  },
})

export const schedulingRedirects: Handlers['schedulingRedirects'] = {
  find: () => {
    throw new ApiError('not_found', 'this service never had booking pages of version 2')
  },
}
