/** Rules for destinations, and for those that are webhooks: URLs, subscriptions, the statuses clients may set, secrets and their rotation. */
import {
  limits,
  type Trigger,
  type Webhook,
  type WebhookChange,
  type WebhookDraft,
  type WebhookStatus,
  type WebhookWithSecret,
} from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import { type Egress, EgressError } from '@waypost/platform/egress/egress'
import { newShortName } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import { lockApplication, noteAskersChanged } from '@waypost/store/tables/applications/applications'
import { leaveBehind } from '@waypost/store/tables/notifications/leftovers'
import {
  countWebhooks,
  deleteWebhook,
  forgetLaneHealth,
  getWebhook,
  insertWebhook,
  lockWebhook,
  updateWebhook,
  type WebhookRow,
  webhookAddresses,
} from '@waypost/store/tables/notifications/webhooks'
import { newWebhookSecret } from './transports/sign.ts'
import type { TransportName } from './transports/transports.ts'

/** Fields stored as one document, because nothing searches by them. */
export type WebhookDocument = Pick<Webhook, 'description' | 'notification_email_addresses' | 'compressed_delivery'>

export const documentOf = (row: { document: string }): WebhookDocument => JSON.parse(row.document)

/**
 * Where a destination is, for mails and lists. The query of a URL may contain a token, so it is left out. The name of a
 * channel ends with its id.
 */
export function placeOf({ transport, webhook_url: name }: Pick<WebhookRow, 'transport' | 'webhook_url'>): {
  shown: string
  host: string
} {
  if (transport !== 'webhook') {
    const shown = name.slice(0, name.lastIndexOf('#'))
    return { shown, host: shown }
  }
  const { origin, pathname, hostname } = new URL(name)
  return { shown: origin + pathname, host: hostname }
}

/** The column `triggers`: names separated and surrounded by spaces. */
export const triggersText = (names: readonly Trigger[]): string => ` ${names.join(' ')} `
export const triggersOf = ({ triggers }: Pick<WebhookRow, 'triggers'>): Trigger[] =>
  triggers.trim().split(' ') as Trigger[]

/** A destination as clients see it. */
export const webhookOf = (row: WebhookRow): Webhook => ({
  id: row.id,
  ...documentOf(row),
  trigger_types: triggersOf(row),
  webhook_url: row.webhook_url,
  status: row.status as WebhookStatus,
  status_updated_at: seconds(row.status_updated_at),
  created_at: seconds(row.created_at),
  updated_at: seconds(row.updated_at),
})

export interface Tools {
  secrets: Secrets
  now: number
}

type SealedSecrets = Pick<
  WebhookRow,
  'application_id' | 'id' | 'sealed_secret' | 'sealed_previous_secret' | 'previous_secret_until'
>
type SecretColumn = 'sealed_secret' | 'sealed_previous_secret'

/** Where the secret of a destination is stored. It can be opened only there. */
export const secretContext = (row: { application_id: string; id: string }, column: SecretColumn) => ({
  table: 'webhooks',
  column,
  application: row.application_id,
  row: row.id,
})

/** The secrets with which a destination signs at a time, as far as they still exist. */
export function signingSecrets(
  row: SealedSecrets,
  at: number,
  secrets: Secrets,
): { current: string; previous?: string } {
  const { sealed_previous_secret: old, previous_secret_until: until } = row
  const current = secrets.open(row.sealed_secret, secretContext(row, 'sealed_secret'))
  if (old === null || until === null || until <= at) return { current }
  return { current, previous: secrets.open(old, secretContext(row, 'sealed_previous_secret')) }
}

/** Refuses a URL that deliveries must not go to. */
export function checkWebhookUrl(egress: Pick<Egress, 'checkUrl'>, text: string): URL {
  // The contract counts characters, but the unique index is limited in bytes.
  if (Buffer.byteLength(text) > limits.webhookUrlBytes) {
    throw invalidField('webhook_url', `must not be longer than ${limits.webhookUrlBytes} bytes`)
  }
  if (text.includes('#')) throw invalidField('webhook_url', 'must not contain a fragment')
  try {
    return egress.checkUrl(text)
  } catch (error) {
    throw error instanceof EgressError ? invalidField('webhook_url', error.message) : error
  }
}

const taken = (url: string): ApiError => new ApiError('conflict', `webhook_url: ${url} already has a destination`)
const missing = (): ApiError => new ApiError('not_found', 'destination.id.not.found : record not found')

/** A destination with any transport. */
export async function needDestination(queries: Queries, applicationId: string, id: string): Promise<WebhookRow> {
  const row = await getWebhook(queries, applicationId, id)
  if (!row) throw missing()
  return row
}

export interface DestinationPlace {
  applicationId: string
  id: string
  transport: TransportName
}

/** A destination with this transport. Others look like missing ones. */
export async function needOf(
  queries: Queries,
  { applicationId, id, transport }: DestinationPlace,
): Promise<WebhookRow> {
  const row = await needDestination(queries, applicationId, id)
  if (row.transport !== transport) throw missing()
  return row
}

export const needWebhook = (queries: Queries, applicationId: string, id: string): Promise<WebhookRow> =>
  needOf(queries, { applicationId, id, transport: 'webhook' })

export async function needLocked(tx: Queries, { applicationId, id, transport }: DestinationPlace): Promise<WebhookRow> {
  const row = await lockWebhook(tx, applicationId, id)
  if (row?.transport !== transport) throw missing()
  return row
}

/** Refuses a URL that another destination of the application has, however it is spelled. */
export async function needFreeUrl(
  queries: Queries,
  applicationId: string,
  url: string,
  except?: string,
): Promise<void> {
  const same = URL.parse(url)?.href
  const others = (await webhookAddresses(queries, applicationId)).filter(({ id }) => id !== except)
  if (others.some(({ webhook_url: known }) => known === url || URL.parse(known)?.href === same)) throw taken(url)
}

/** Refuses a new destination if the limit is reached. */
export async function checkDestinationLimit(queries: Queries, applicationId: string): Promise<void> {
  if ((await countWebhooks(queries, applicationId, 'webhook')) < limits.webhooks) return
  throw invalidField('webhook_url', `the application has ${limits.webhooks} destinations, which is the limit`)
}

/** The row of a new destination, except for where it is and its secret. */
export function draftedRow(applicationId: string, draft: Omit<WebhookDraft, 'webhook_url'>, now: number) {
  const document: WebhookDocument = {
    description: draft.description ?? '',
    notification_email_addresses: draft.notification_email_addresses ?? [],
    compressed_delivery: draft.compressed_delivery ?? false,
  }
  return {
    id: newShortName(26),
    application_id: applicationId,
    status: 'active',
    triggers: triggersText(draft.trigger_types),
    sealed_previous_secret: null,
    previous_secret_until: null,
    revision: 1,
    status_updated_at: now,
    created_at: now,
    updated_at: now,
    document: JSON.stringify(document),
  }
}

/** Creates a destination whose URL was verified. */
export async function createWebhook(
  tx: Queries,
  applicationId: string,
  draft: WebhookDraft,
  { secrets, now }: Tools,
): Promise<WebhookWithSecret> {
  await lockApplication(tx, applicationId)
  await needFreeUrl(tx, applicationId, draft.webhook_url)
  await checkDestinationLimit(tx, applicationId)
  const secret = newWebhookSecret()
  const drafted = draftedRow(applicationId, draft, now)
  const row: WebhookRow = {
    ...drafted,
    transport: 'webhook',
    webhook_url: draft.webhook_url,
    settings: null,
    sealed_secret: secrets.seal(secret, secretContext(drafted, 'sealed_secret')),
  }
  if (!(await insertWebhook(tx, row))) throw taken(row.webhook_url)
  return { ...webhookOf(row), webhook_secret: secret }
}

/** The URL whose receiver must be verified for a change, if any. */
export function urlToVerify(row: WebhookRow, change: WebhookChange): string | undefined {
  const url = change.webhook_url ?? row.webhook_url
  return change.status === 'active' || url !== row.webhook_url ? url : undefined
}

/** Changes a destination. `verified` is the URL whose receiver was just verified. */
export async function changeWebhook(
  tx: Queries,
  at: { applicationId: string; id: string },
  { change, verified }: { change: WebhookChange; verified: string | undefined },
  now: number,
): Promise<Webhook> {
  await lockApplication(tx, at.applicationId)
  const row = await needLocked(tx, { ...at, transport: 'webhook' })
  const needed = urlToVerify(row, change)
  if (needed !== undefined && needed !== verified) {
    throw new ApiError('conflict', 'webhook_url: the destination was changed by another request; try again')
  }
  const changed: WebhookRow = { ...changedRow(row, change, now), webhook_url: change.webhook_url ?? row.webhook_url }
  await needFreeUrl(tx, at.applicationId, changed.webhook_url, row.id)
  await keepChanged(tx, row, { change, changed })
  return webhookOf(changed)
}

/** The changes that all destinations have in common. */
export type DestinationChange = Omit<WebhookChange, 'webhook_url'>

/** The row after a change, except for where the destination is. */
export function changedRow(row: WebhookRow, change: DestinationChange, now: number): WebhookRow {
  const { description, notification_email_addresses: emails, compressed_delivery: compressed } = change
  const before = documentOf(row)
  const document: WebhookDocument = {
    description: description === undefined ? before.description : (description ?? ''),
    notification_email_addresses: emails === undefined ? before.notification_email_addresses : (emails ?? []),
    compressed_delivery: compressed === undefined ? before.compressed_delivery : (compressed ?? false),
  }
  const status = change.status ?? row.status
  return {
    ...row,
    triggers: change.trigger_types ? triggersText(change.trigger_types) : row.triggers,
    status,
    status_updated_at: status === row.status ? row.status_updated_at : now,
    updated_at: now,
    document: JSON.stringify(document),
  }
}

/** Stores a changed destination, and what follows from the change. */
export async function keepChanged(
  tx: Queries,
  row: WebhookRow,
  { change, changed }: { change: DestinationChange; changed: WebhookRow },
): Promise<void> {
  await updateWebhook(tx, changed)
  if (changed.triggers !== row.triggers) await noteAskersChanged(tx, row.application_id)
  // Activating a destination clears its history: old failures say nothing about a repaired receiver.
  if (change.status === 'active') await forgetLaneHealth(tx, row.application_id, row.id)
}

/** Gives a destination a new secret. The previous one also signs for a while. */
export async function rotateWebhookSecret(
  tx: Queries,
  at: { applicationId: string; id: string },
  { secrets, now }: Tools,
): Promise<WebhookWithSecret> {
  const row = await needLocked(tx, { ...at, transport: 'webhook' })
  const previous = secrets.open(row.sealed_secret, secretContext(row, 'sealed_secret'))
  const secret = newWebhookSecret()
  const changed: WebhookRow = {
    ...row,
    sealed_secret: secrets.seal(secret, secretContext(row, 'sealed_secret')),
    sealed_previous_secret: secrets.seal(previous, secretContext(row, 'sealed_previous_secret')),
    previous_secret_until: now + limits.webhookSecretOverlapHours * 3_600_000,
    updated_at: now,
  }
  await updateWebhook(tx, changed)
  return { ...webhookOf(changed), webhook_secret: secret }
}

/** Deletes a destination with its waiting deliveries and its log. */
export async function eraseDestination(tx: Queries, place: DestinationPlace, now: number): Promise<void> {
  const { applicationId, id } = place
  await noteAskersChanged(tx, applicationId)
  if (!(await deleteWebhook(tx, place))) throw missing()
  await leaveBehind(tx, { of: 'destination', applicationId, id }, now)
}
