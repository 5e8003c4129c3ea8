/** Configurations of booking pages, as the rest of the service uses them. */
import type {
  Configuration,
  ConfigurationChange,
  ConfigurationDraft,
  ConfigurationParticipant,
} from '@waypost/contract'
import { ApiError, invalidFields } from '@waypost/platform/api-error'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { SealContext } from '@waypost/platform/crypto/secrets'
import { emailKey } from '@waypost/platform/email-key'
import { hasOperation } from '@waypost/providers/registry'
import { checkConfiguration } from '@waypost/scheduling/configurations/check'
import { needsGrant } from '@waypost/scheduling/configurations/participants'
import type { Queries } from '@waypost/store/engine/database'
import type { GrantRecord, Locator } from '@waypost/store/tables/grants/grants'
import {
  type ConfigurationRow,
  getConfiguration,
  getConfigurationBySlug,
  getConfigurationOfAny,
} from '@waypost/store/tables/scheduling/configurations'
import { needInReach, type ReachingCaller } from '../grants/caller.ts'
import { locatorFor } from '../grants/locator.ts'
import type { Sessions } from '../grants/sessions.ts'

export interface ConfigurationRecord {
  id: string
  applicationId: string
  /** The grant that owns the configuration. */
  grantId: string
  /** With all defaults. */
  configuration: Configuration
  /** Milliseconds. */
  createdAt: number
  updatedAt: number
  /** The configuration was deleted: its page is closed, and it stays for its upcoming bookings. */
  removedAt: number | null
}

export interface ConfigurationReading {
  queries: Queries
  seals: DataSeals
}

const contextOf = ({ application_id, id }: Pick<ConfigurationRow, 'application_id' | 'id'>): SealContext => ({
  table: 'scheduler_configurations',
  column: 'sealed_document',
  application: application_id,
  row: id,
})

export const sealConfiguration = (
  seals: DataSeals,
  { applicationId, configuration }: Pick<ConfigurationRecord, 'applicationId' | 'configuration'>,
): string =>
  seals.seal(JSON.stringify(configuration), contextOf({ application_id: applicationId, id: configuration.id }))

/** The records of rows; the data keys must be known. */
function recordOf(seals: DataSeals, row: ConfigurationRow): ConfigurationRecord {
  return {
    id: row.id,
    applicationId: row.application_id,
    grantId: row.grant_id,
    configuration: JSON.parse(seals.open(row.sealed_document, contextOf(row))),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    removedAt: row.removed_at,
  }
}

export async function recordsOf(seals: DataSeals, rows: readonly ConfigurationRow[]): Promise<ConfigurationRecord[]> {
  await seals.learn(rows.map((row) => row.sealed_document))
  return rows.map((row) => recordOf(seals, row))
}

const first = async (
  { seals }: ConfigurationReading,
  row: ConfigurationRow | undefined,
): Promise<ConfigurationRecord | undefined> => (row ? (await recordsOf(seals, [row]))[0] : undefined)

/** A configuration of an application. Also finds a deleted one that still has upcoming bookings (`removedAt`). */
export const findConfiguration = async (
  reading: ConfigurationReading,
  { applicationId, id }: { applicationId: string; id: string },
): Promise<ConfigurationRecord | undefined> =>
  first(reading, await getConfiguration(reading.queries, applicationId, id.toLowerCase()))

const findConfigurationBySlug = async (
  reading: ConfigurationReading,
  { applicationId, slug }: { applicationId: string; slug: string },
): Promise<ConfigurationRecord | undefined> =>
  first(reading, await getConfigurationBySlug(reading.queries, applicationId, slug))

/** A configuration that a request names by its id, or else by its slug. */
export const findNamedConfiguration = (
  reading: ConfigurationReading,
  applicationId: string,
  { id, slug }: { id?: string | null | undefined; slug?: string | null | undefined },
): Promise<ConfigurationRecord | undefined> =>
  id
    ? findConfiguration(reading, { applicationId, id })
    : findConfigurationBySlug(reading, { applicationId, slug: slug ?? '' })

/** The same for guests, who name no application. */
export const findConfigurationOfAny = async (
  reading: ConfigurationReading,
  id: string,
): Promise<ConfigurationRecord | undefined> =>
  first(reading, await getConfigurationOfAny(reading.queries, id.toLowerCase()))

/** A draft with the fields of a change. Absent fields stay; null and nested objects replace. */
export const mergeChange = (configuration: Configuration, change: ConfigurationChange): ConfigurationDraft => ({
  ...configuration,
  ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
})

/** How a participant names a grant. */
export const grantLocatorOf = ({ grant_id, email }: ConfigurationParticipant): Locator =>
  grant_id ? locatorFor(grant_id) : { by: 'email', value: emailKey(email) }

interface Checking {
  database: Queries
  sessions: Pick<Sessions, 'find' | 'providerOf'>
  /** A restricted credential can name only grants that it may use. */
  caller: ReachingCaller
}

/**
 * Refuses a draft that breaks a rule. Participants with calendars need a valid grant of the application, whoever calls:
 * an access token may name other grants of its application too, as the editor does.
 */
export async function checkDraft(checking: Checking, draft: ConfigurationDraft, owner: GrantRecord): Promise<void> {
  const problems = checkConfiguration(draft)
  if (draft.type === 'group' && !hasCalendars(checking, owner)) {
    problems.type = `cannot be group: the account of the grant (${owner.grant.provider}) has no calendars`
  }
  const hosts = (draft.type === 'group' ? [] : (draft.participants ?? [])).map(async (participant, i) => {
    if (!needsGrant(participant)) return
    const problem = await grantProblem(checking, participant)
    if (problem) problems[`participants.${i}.${participant.grant_id ? 'grant_id' : 'email'}`] ??= problem
  })
  await Promise.all(hosts)
  if (Object.keys(problems).length > 0) throw invalidFields(problems)
}

const hasCalendars = ({ sessions }: Pick<Checking, 'sessions'>, record: GrantRecord): boolean => {
  const provider = sessions.providerOf(record, 'events.create')
  return provider.availability !== undefined && hasOperation(provider, 'events', 'create')
}

async function grantProblem(checking: Checking, participant: ConfigurationParticipant): Promise<string | undefined> {
  try {
    const { database, sessions, caller } = checking
    const locator = grantLocatorOf(participant)
    await needInReach(database, caller, locator)
    const record = await sessions.find(caller.id, locator)
    return hasCalendars(checking, record) ? undefined : `the account (${record.grant.provider}) has no calendars`
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    const remedy = 'connect the account, or remove availability and booking to only invite the person'
    return `belongs to no valid grant of this application (${error.message}); ${remedy}`
  }
}
