/** Applications are the tenants. Maps rows to the objects of the contract and applies changes by clients. */
import {
  type Application,
  type ApplicationChange,
  type ApplicationSummary,
  type Environment,
  limits,
  parseOrigin,
  type RedirectUri,
  type Region,
} from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { newId } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import {
  type ApplicationRow,
  getApplication,
  insertApplication,
  lockApplication,
  noteAskersChanged,
  replaceOrigins,
  updateApplication,
} from '@waypost/store/tables/applications/applications'
import { listRedirectUris } from '@waypost/store/tables/applications/redirect-uris'
import { countGrants } from '@waypost/store/tables/grants/grants'
import { readMailUse } from '@waypost/store/tables/mail/mail-use'
import { redirectUriOf, replaceRedirectUris } from './redirect-uris.ts'
import { allowsHardDelete, expandsRecurring, isStreamOn, notificationSettingsAfter, settingsAfter } from './settings.ts'

/** Values of the installation that appear in every application object. */
export interface Place {
  organizationId: string
  region: Region
  /** Default retention of notifications. */
  notificationDays: number
}

/** Creates an application. Only the sandbox has a grant limit. */
export async function createApplication(
  tx: Queries,
  draft: { name: string; environment: Environment },
  now: number,
): Promise<ApplicationRow> {
  const row: ApplicationRow = {
    id: newId(),
    environment: draft.environment,
    default_workspace_id: newId(),
    grant_limit: draft.environment === 'sandbox' ? limits.sandboxGrants : null,
    blocked: 0,
    domain: null,
    branding: JSON.stringify({ name: draft.name }),
    hosted_authentication: '{}',
    idp_settings: '{}',
    additional_settings: '{}',
    notification_stream_until: 0,
    notification_days: null,
    mcp_enabled: 0,
    created_at: now,
    updated_at: now,
  }
  await insertApplication(tx, row)
  return row
}

const baseOf = (row: ApplicationRow, place: Place): Omit<Application, 'callback_uris'> => ({
  application_id: row.id,
  organization_id: place.organizationId,
  region: place.region,
  environment: row.environment as Environment,
  default_workspace_id: row.default_workspace_id,
  ...(row.domain ? { domain: row.domain } : {}),
  branding: JSON.parse(row.branding),
  hosted_authentication: JSON.parse(row.hosted_authentication),
  idp_settings: JSON.parse(row.idp_settings),
  expand_recurring_default: expandsRecurring(row.additional_settings),
  allow_hard_delete: allowsHardDelete(row.additional_settings),
  notification_stream: isStreamOn(row),
  mcp_enabled: row.mcp_enabled === 1,
  notification_days: row.notification_days ?? place.notificationDays,
  blocked: row.blocked === 1,
  created_at: seconds(row.created_at),
  updated_at: seconds(row.updated_at),
})

export async function needApplication(queries: Queries, id: string): Promise<ApplicationRow> {
  const row = await getApplication(queries, id)
  if (!row) throw new ApiError('not_found', 'no application with this id')
  return row
}

/** The application as its own clients see it. */
export async function readApplication(queries: Queries, id: string, place: Place): Promise<Application> {
  const row = await needApplication(queries, id)
  const uris = await listRedirectUris(queries, id)
  return { ...baseOf(row, place), callback_uris: uris.map(redirectUriOf) }
}

/** The application as administrators see it. */
export const summarize = async (queries: Queries, row: ApplicationRow, place: Place): Promise<ApplicationSummary> => ({
  ...baseOf(row, place),
  grant_limit: row.grant_limit,
  grant_count: await countGrants(queries, row.id),
  mail_per_day: (await readMailUse(queries, row.id))?.per_day ?? null,
})

/** Applies a change: absent fields stay, nested objects are replaced. */
export async function changeApplication(
  tx: Queries,
  id: string,
  change: ApplicationChange,
  now: number,
): Promise<void> {
  await lockApplication(tx, id)
  const row = await needApplication(tx, id)
  const settings = settingsAfter(row.additional_settings, change)
  await updateApplication(tx, {
    ...row,
    domain: change.domain === undefined ? row.domain : change.domain || null,
    branding: change.branding
      ? JSON.stringify({ name: JSON.parse(row.branding).name, ...change.branding })
      : row.branding,
    hosted_authentication: change.hosted_authentication
      ? JSON.stringify(change.hosted_authentication)
      : row.hosted_authentication,
    idp_settings: change.idp_settings ? JSON.stringify(change.idp_settings) : row.idp_settings,
    additional_settings: JSON.stringify(settings),
    ...notificationSettingsAfter(row, change),
    mcp_enabled: change.mcp_enabled === undefined ? row.mcp_enabled : change.mcp_enabled ? 1 : 0,
    updated_at: now,
  })
  if (change.notification_stream !== undefined || change.notification_days !== undefined)
    await noteAskersChanged(tx, id)
  if (change.callback_uris) {
    await replaceRedirectUris(tx, id, change.callback_uris, {
      allowQuery: settings.allow_query_param_in_redirect_uri === true,
      now,
    })
  }
  await refreshOrigins(tx, id)
}

/** Updates the list of origins that browsers may call from, according to the application's settings. */
export async function refreshOrigins(tx: Queries, id: string): Promise<void> {
  const row = await needApplication(tx, id)
  const configured: string = JSON.parse(row.idp_settings).origins ?? ''
  const uris: RedirectUri[] = (await listRedirectUris(tx, id)).map(redirectUriOf)
  const texts = [...configured.split(','), ...uris.map((uri) => uri.settings.origin ?? '')]
  await replaceOrigins(
    tx,
    id,
    texts.flatMap((text) => parseOrigin(text) ?? []),
  )
}

/** Blocks or unblocks an application. */
export async function blockApplication(
  tx: Queries,
  id: string,
  blocked: boolean,
  now: number,
): Promise<ApplicationRow> {
  const row = { ...(await needApplication(tx, id)), blocked: blocked ? 1 : 0, updated_at: now }
  await updateApplication(tx, row)
  return row
}
