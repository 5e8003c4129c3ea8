/** Redirect (callback) URIs: where the hosted sign-in may send users back to. */
import type { Platform, RedirectUri, RedirectUriChange, RedirectUriDraft, RedirectUriSettings } from '@waypost/contract'
import { parseOrigin } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { newId } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import {
  deleteRedirectUri,
  findRedirectUri,
  getRedirectUri,
  insertRedirectUri,
  listRedirectUris,
  type RedirectUriRow,
  updateRedirectUri,
} from '@waypost/store/tables/applications/redirect-uris'

export const redirectUriOf = (row: RedirectUriRow): RedirectUri => ({
  id: row.id,
  platform: row.platform as Platform,
  url: row.url,
  settings: JSON.parse(row.settings),
  created_at: seconds(row.created_at),
})

const required: Record<Platform, readonly (keyof RedirectUriSettings)[]> = {
  web: [],
  desktop: [],
  js: ['origin'],
  ios: ['bundle_id'],
  android: ['package_name', 'sha1_certificate_fingerprint'],
}

const local = (host: string): boolean => host === 'localhost' || host === '127.0.0.1'

/** Refuses unsafe URIs and settings that lack what the platform needs. */
export function checkRedirectUri(
  draft: { url: string; platform: Platform; settings: RedirectUriSettings },
  allowQuery: boolean,
): void {
  const url = URL.parse(draft.url)
  if (!url || /\p{Cc}|\s/u.test(draft.url)) throw invalidField('url', 'must be an absolute URL')
  // The contract counts characters, but the unique index is limited in bytes.
  if (Buffer.byteLength(draft.url) > 2048) throw invalidField('url', 'must not be longer than 2048 bytes')
  const app = draft.platform === 'ios' || draft.platform === 'android'
  const web = url.protocol === 'https:' || (url.protocol === 'http:' && local(url.hostname))
  const scheme =
    /^[a-z][a-z0-9+.-]*:\/\//i.test(draft.url) && !/^(javascript|data|file|https?|vbscript|blob):/i.test(draft.url)
  if (!web && !(app && scheme)) {
    throw invalidField('url', 'must be https (http for localhost and 127.0.0.1; scheme://… for ios and android)')
  }
  if (url.username || url.password) throw invalidField('url', 'must not contain a user name or password')
  if (url.hash || draft.url.includes('#')) throw invalidField('url', 'must not contain a fragment')
  if (draft.url.includes('?') && !allowQuery) {
    throw invalidField('url', 'must not contain query parameters unless allow_query_param_in_redirect_uri is set')
  }
  for (const name of required[draft.platform]) {
    if (!draft.settings[name]) throw invalidField(`settings.${name}`, `is required for platform ${draft.platform}`)
  }
  if (draft.settings.origin !== undefined && parseOrigin(draft.settings.origin) === undefined) {
    throw invalidField('settings.origin', 'must be an https origin (http for localhost), without path or query')
  }
}

const taken = (url: string): ApiError => new ApiError('conflict', `url: ${url} is already registered`)

export async function createRedirectUri(
  tx: Queries,
  applicationId: string,
  draft: RedirectUriDraft,
  rules: { allowQuery: boolean; now: number },
): Promise<RedirectUri> {
  const settings = draft.settings ?? {}
  checkRedirectUri({ url: draft.url, platform: draft.platform, settings }, rules.allowQuery)
  const row: RedirectUriRow = {
    id: newId(),
    application_id: applicationId,
    platform: draft.platform,
    url: draft.url,
    settings: JSON.stringify(settings),
    created_at: rules.now,
    updated_at: rules.now,
  }
  if (!(await insertRedirectUri(tx, row))) throw taken(draft.url)
  return redirectUriOf(row)
}

export async function needRedirectUri(queries: Queries, applicationId: string, id: string): Promise<RedirectUriRow> {
  const row = await getRedirectUri(queries, applicationId, id)
  if (!row) throw new ApiError('not_found', 'no redirect URI with this id')
  return row
}

export async function changeRedirectUri(
  tx: Queries,
  row: RedirectUriRow,
  change: RedirectUriChange,
  rules: { allowQuery: boolean; now: number },
): Promise<RedirectUri> {
  const next = {
    url: change.url ?? row.url,
    platform: change.platform ?? (row.platform as Platform),
    settings: change.settings ?? JSON.parse(row.settings),
  }
  checkRedirectUri(next, rules.allowQuery)
  const holder = await findRedirectUri(tx, row.application_id, next.url)
  if (holder && holder.id !== row.id) throw taken(next.url)
  const changed = { ...row, ...next, settings: JSON.stringify(next.settings), updated_at: rules.now }
  await updateRedirectUri(tx, changed)
  return redirectUriOf(changed)
}

/**
 * Replaces the whole list: items with an id stay or change, others are created, and the remaining ones are deleted.
 */
export async function replaceRedirectUris(
  tx: Queries,
  applicationId: string,
  items: readonly (RedirectUriDraft & { id?: string })[],
  rules: { allowQuery: boolean; now: number },
): Promise<void> {
  const retained = new Set(items.map((item) => item.id))
  for (const row of await listRedirectUris(tx, applicationId)) {
    if (!retained.has(row.id)) await deleteRedirectUri(tx, applicationId, row.id)
  }
  for (const item of items) {
    if (item.id === undefined) await createRedirectUri(tx, applicationId, item, rules)
    else await changeRedirectUri(tx, await needRedirectUri(tx, applicationId, item.id), item, rules)
  }
}
