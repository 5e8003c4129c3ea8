/** Changes of configurations: slugs are free, a grant has a limited number, and bookings keep what they need. */
import { type Configuration, type ConfigurationChange, type ConfigurationDraft, limits } from '@waypost/contract'
import { ApiError, invalidField, invalidFields } from '@waypost/platform/api-error'
import { type Clock, seconds } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { isUuid, newId } from '@waypost/platform/ids'
import { checkConfiguration } from '@waypost/scheduling/configurations/check'
import { completeConfiguration } from '@waypost/scheduling/configurations/complete'
import { showConfiguration } from '@waypost/scheduling/configurations/participants'
import type { Queries } from '@waypost/store/engine/database'
import { lockApplication } from '@waypost/store/tables/applications/applications'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { hasUpcomingBookings } from '@waypost/store/tables/scheduling/bookings'
import {
  closeConfiguration,
  countConfigurations,
  getConfigurationBySlug,
  insertConfiguration,
  lockConfiguration,
  removeConfiguration,
  updateConfiguration,
} from '@waypost/store/tables/scheduling/configurations'
import { countSchedulingSessions } from '@waypost/store/tables/scheduling/sessions'
import { type ConfigurationRecord, findConfiguration, mergeChange, sealConfiguration } from './configurations.ts'

interface ConfigurationTools {
  seals: DataSeals
  clock: Clock
}

/** A configuration in a path, and the grant that must own it. */
interface NamedConfiguration {
  grant: GrantRecord
  id: string
}

/** The part of a row that follows from the configuration. */
const columnsOf = ({ slug, name, type, requires_session_auth }: Configuration) => ({
  slug,
  name,
  type,
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

export async function needConfiguration(
  queries: Queries,
  { seals }: Pick<ConfigurationTools, 'seals'>,
  { grant, id }: NamedConfiguration,
): Promise<ConfigurationRecord> {
  const { applicationId } = grant
  const record = isUuid(id) ? await findConfiguration({ queries, seals }, { applicationId, id }) : undefined
  if (!record || record.grantId !== grant.grant.id || record.removedAt !== null) throw new ApiError('not_found')
  return record
}

export async function createConfiguration(
  tx: Queries,
  { seals, clock }: ConfigurationTools,
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

/** Applies a change that was checked before the transaction. */
export async function changeConfiguration(
  tx: Queries,
  tools: ConfigurationTools,
  { change, ...named }: NamedConfiguration & { change: ConfigurationChange },
): Promise<Configuration> {
  const { applicationId } = named.grant
  await lockApplication(tx, applicationId)
  const { configuration: now } = await needConfiguration(tx, tools, named)
  const draft = mergeChange(now, change)
  // Another request may have changed it since the check.
  const problems = checkConfiguration(draft)
  if (Object.keys(problems).length > 0) throw invalidFields(problems)
  const configuration = completeConfiguration(now.id, draft)
  await needFreeSlug(tx, applicationId, configuration)
  await updateConfiguration(tx, {
    ...columnsOf(configuration),
    id: now.id,
    application_id: applicationId,
    updated_at: tools.clock.now(),
    sealed_document: sealConfiguration(tools.seals, { applicationId, configuration }),
  })
  return showConfiguration(configuration)
}

/** Refuses while sessions are active. A configuration with upcoming bookings stays for them; its page is closed. */
export async function deleteConfiguration(
  tx: Queries,
  tools: ConfigurationTools,
  named: NamedConfiguration,
): Promise<void> {
  const { applicationId, id } = await needConfiguration(tx, tools, named)
  const now = tools.clock.now()
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
