/** Rules for channels: creating and changing them, their credentials, and what clients see of them. */
import { limits, type WebhookChange, type WebhookDraft, type WebhookStatus } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import type { Queries } from '@waypost/store/engine/database'
import { lockApplication } from '@waypost/store/tables/applications/applications'
import { keepOlderNodesAway } from '@waypost/store/tables/notifications/channel-versions'
import { countWebhooks, insertWebhook, type WebhookRow } from '@waypost/store/tables/notifications/webhooks'
import {
  changedRow,
  documentOf,
  draftedRow,
  keepChanged,
  needLocked,
  secretContext,
  triggersOf,
} from '../destinations.ts'
import {
  type ChannelCredentials,
  type ChannelSettings,
  type ChannelTransport,
  credentialsFor,
  type DefaultCredentials,
} from '../transports/channel-settings.ts'
import { type ChannelChanges, type ChannelDrafts, channelForms } from './forms.ts'

/** Where a channel publishes, and its own credentials, if it has some. */
export interface ChannelPlace<T extends ChannelTransport> {
  settings: ChannelSettings[T]
  credentials: ChannelCredentials[T] | null
}

export const settingsOf = <T extends ChannelTransport>(row: Pick<WebhookRow, 'settings'>): ChannelSettings[T] =>
  JSON.parse(row.settings ?? '{}')

/** The channel's own credentials. */
export const ownCredentials = <T extends ChannelTransport>(
  row: Pick<WebhookRow, 'application_id' | 'id' | 'sealed_secret'>,
  secrets: Secrets,
): ChannelCredentials[T] | null => JSON.parse(secrets.open(row.sealed_secret, secretContext(row, 'sealed_secret')))

/** A channel as clients see it. */
export const channelOf = <T extends ChannelTransport>(row: WebhookRow, secrets: Secrets) => ({
  id: row.id,
  ...documentOf(row),
  trigger_types: triggersOf(row),
  ...settingsOf<T>(row),
  has_credentials: ownCredentials(row, secrets) !== null,
  status: row.status as WebhookStatus,
  status_updated_at: seconds(row.status_updated_at),
  created_at: seconds(row.created_at),
  updated_at: seconds(row.updated_at),
})

export const placeOfDraft = <T extends ChannelTransport>(transport: T, draft: ChannelDrafts[T]): ChannelPlace<T> => ({
  settings: channelForms[transport].settings(draft),
  credentials: channelForms[transport].credentials(draft) ?? null,
})

/**
 * Refuses to use stored credentials at a place for which they were not given. Whoever may change a channel must not learn
 * its credentials by naming a server of their own.
 */
function refuseStoredElsewhere<T extends ChannelTransport>(
  transport: T,
  own: ChannelCredentials[T],
  { before, after }: { before: ChannelSettings[T]; after: ChannelSettings[T] },
): void {
  const { credentialPlaces, credentialFields } = channelForms[transport]
  const known = new Set(credentialPlaces(before))
  const other = credentialPlaces(after).find((place) => !known.has(place))
  if (other === undefined) return
  const [field = credentialFields.field] = Object.keys(own)
  throw invalidField(
    field,
    `is required: the stored credentials were not given for ${other}; send those for it in the same request, or null for none`,
  )
}

export function placeAfter<T extends ChannelTransport>(
  transport: T,
  row: WebhookRow,
  change: ChannelChanges[T],
  secrets: Secrets,
): ChannelPlace<T> {
  const { credentials: credentialsIn, changedSettings } = channelForms[transport]
  const given = credentialsIn(change)
  const before = settingsOf<T>(row)
  const settings = changedSettings(change, before)
  if (given !== undefined) return { settings, credentials: given }
  const own = ownCredentials<T>(row, secrets)
  if (own) refuseStoredElsewhere(transport, own, { before, after: settings })
  return { settings, credentials: own }
}

/** Whether a change needs the broker to be verified. */
export const isToBeVerified = <T extends ChannelTransport>(
  row: WebhookRow,
  place: ChannelPlace<T>,
  { change, secrets }: { change: { status?: string | undefined }; secrets: Secrets },
): boolean =>
  change.status === 'active' ||
  JSON.stringify(place.settings) !== row.settings ||
  JSON.stringify(place.credentials) !== JSON.stringify(ownCredentials(row, secrets))

/** The credentials that are used: those of the channel, or else those of the operator. */
export function usedCredentials<T extends ChannelTransport>(
  transport: T,
  own: ChannelCredentials[T] | null,
  defaults: DefaultCredentials,
): ChannelCredentials[T] {
  const found = credentialsFor(transport, own, defaults)
  if (found) return found
  const { field, setting } = channelForms[transport].credentialFields
  throw invalidField(
    field,
    setting === undefined
      ? 'is required'
      : `is required: the channel has no credentials, and the operator has not set ${setting}`,
  )
}

/** Refuses a new channel if the limit is reached. */
export async function checkChannelLimit(
  queries: Queries,
  applicationId: string,
  transport: ChannelTransport,
): Promise<void> {
  if ((await countWebhooks(queries, applicationId, transport)) < limits.channels) return
  const { placeField } = channelForms[transport]
  throw invalidField(placeField, `the application has ${limits.channels} ${transport} channels, which is the limit`)
}

const sealCredentials = (key: { id: string; application_id: string }, credentials: unknown, secrets: Secrets): string =>
  secrets.seal(JSON.stringify(credentials), secretContext(key, 'sealed_secret'))

/** The column for the URL of webhooks, which is unique: the place for people, and the id. */
const nameOf = <T extends ChannelTransport>(transport: T, settings: ChannelSettings[T], id: string): string =>
  `${channelForms[transport].address(settings).slice(0, 500)}#${id}`

/** Creates a channel that was verified. */
export async function createChannel<T extends ChannelTransport>(
  tx: Queries,
  {
    applicationId,
    transport,
    draft,
  }: { applicationId: string; transport: T; draft: Omit<WebhookDraft, 'webhook_url'> },
  { settings, credentials }: ChannelPlace<T>,
  { secrets, now }: { secrets: Secrets; now: number },
) {
  await lockApplication(tx, applicationId)
  await checkChannelLimit(tx, applicationId, transport)
  await keepOlderNodesAway(tx)
  const drafted = draftedRow(applicationId, draft, now)
  const row: WebhookRow = {
    ...drafted,
    transport,
    webhook_url: nameOf(transport, settings, drafted.id),
    settings: JSON.stringify(settings),
    sealed_secret: sealCredentials(drafted, credentials, secrets),
  }
  await insertWebhook(tx, row)
  return channelOf<T>(row, secrets)
}

/**
 * Changes a channel. `seen` is the revision of the row that `place` was computed from, and whose broker was verified.
 * A channel that another request changed in the meantime is refused.
 */
export async function changeChannel<T extends ChannelTransport>(
  tx: Queries,
  { applicationId, id, transport }: { applicationId: string; id: string; transport: T },
  { change, place, seen }: { change: Omit<WebhookChange, 'webhook_url'>; place: ChannelPlace<T>; seen: WebhookRow },
  { secrets, now }: { secrets: Secrets; now: number },
) {
  await lockApplication(tx, applicationId)
  const row = await needLocked(tx, { applicationId, id, transport })
  if (row.settings !== seen.settings || row.sealed_secret !== seen.sealed_secret) {
    throw new ApiError('conflict', 'the channel was changed by another request; try again')
  }
  const isSame = JSON.stringify(place.credentials) === JSON.stringify(ownCredentials(row, secrets))
  const changed: WebhookRow = {
    ...changedRow(row, change, now),
    settings: JSON.stringify(place.settings),
    webhook_url: nameOf(transport, place.settings, id),
    sealed_secret: isSame ? row.sealed_secret : sealCredentials(row, place.credentials, secrets),
  }
  await keepChanged(tx, row, { change, changed })
  return channelOf<T>(changed, secrets)
}
