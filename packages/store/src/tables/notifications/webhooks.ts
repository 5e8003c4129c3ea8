/**
 * Destinations: webhooks, and channels with another `transport`. `triggers` contains the names surrounded by spaces, so that a substring search finds one of
 * them.
 */
import { requestedTriggers } from '@waypost/contract'
import { type Queries, sql } from '../../engine/database.ts'
import { named, nullable, number, type RowOf, table, text } from '../../engine/table.ts'
import { statusRead, statusWritten, storedStatus } from './destination-status.ts'

const webhooks = table('webhooks', {
  id: text,
  application_id: text,
  transport: text,
  /** The URL of a webhook. Channels have a name that is unique and no URL. */
  webhook_url: text,
  /** Where a channel publishes, as JSON. Null for webhooks. */
  settings: nullable(text),
  status: text,
  triggers: text,
  /** The secret that signs deliveries of a webhook; the credentials of a channel, as JSON. */
  sealed_secret: text,
  sealed_previous_secret: nullable(text),
  previous_secret_until: nullable(number),
  /** Incremented with each change, so that a cached destination can be recognized as outdated. */
  revision: number,
  status_updated_at: number,
  created_at: number,
  updated_at: number,
  document: text,
})
export type WebhookRow = RowOf<typeof webhooks>

const { set } = webhooks
const columns = webhooks.columns.replace(' status,', ` ${statusRead},`)

const insert = webhooks.insert('application_id, webhook_url')
const list = sql<WebhookRow>('webhooks.list')`select ${columns} from webhooks
   where application_id = $1 order by created_at, id`
const get = sql<WebhookRow>('webhooks.get')`select ${columns} from webhooks where application_id = $1 and id = $2`
const triggersOf = sql<Pick<WebhookRow, 'triggers'>>('webhooks.triggers')`select triggers from webhooks
   where application_id = $1`
const addresses = sql<Pick<WebhookRow, 'id' | 'webhook_url'>>('webhooks.addresses')`select id, webhook_url from webhooks
   where application_id = $1 and transport = 'webhook'`
const count = webhooks.count('count')`where application_id = $1 and transport = $2`
const lock = sql<WebhookRow>('webhooks.lock', { raises: ['deliveries'] })`update webhooks set revision = revision + 1
   where application_id = $1 and id = $2 returning ${columns}`
const update = named<WebhookRow>('webhooks.update', { raises: ['deliveries'] })`update webhooks
   set ${set('webhook_url', 'settings', 'triggers', 'sealed_secret', 'sealed_previous_secret')},
   ${set('previous_secret_until', 'status_updated_at', 'updated_at', 'document')}, status = ${statusWritten(':status')}
   where application_id = :application_id and id = :id`
const remove = webhooks.delete('remove')`where application_id = $1 and id = $2 and transport = $3`
const forgetHealth = sql('delivery_leases.forgetHealth')`update delivery_leases set health = null, judge_at = null
   where application_id = $1 and webhook_id = $2`

/** Inserts the row. False if the application already has a destination with that URL. */
export const insertWebhook = async (tx: Queries, row: WebhookRow): Promise<boolean> =>
  (await tx.run(...insert({ ...row, status: storedStatus(row) }))) === 1
export const listWebhooks = (queries: Queries, applicationId: string): Promise<WebhookRow[]> =>
  queries.all(list, [applicationId])
export const getWebhook = (queries: Queries, applicationId: string, id: string): Promise<WebhookRow | undefined> =>
  queries.get(get, [applicationId, id])
/** The URLs of an application's webhooks. */
export const webhookAddresses = (
  queries: Queries,
  applicationId: string,
): Promise<Pick<WebhookRow, 'id' | 'webhook_url'>[]> => queries.all(addresses, [applicationId])
/** The number of an application's destinations with a transport. */
export const countWebhooks = async (queries: Queries, applicationId: string, transport: string): Promise<number> =>
  (await queries.get(count, [applicationId, transport]))?.n ?? 0
/** Locks the row until the transaction ends and returns it with the next revision. */
export const lockWebhook = (tx: Queries, applicationId: string, id: string): Promise<WebhookRow | undefined> =>
  tx.get(lock, [applicationId, id])
/** Writes a row that `lockWebhook` returned and the caller changed. */
export const updateWebhook = (tx: Queries, row: WebhookRow): Promise<number> => tx.run(...update(row))
/** Deletes a destination with this transport. Later changes queue nothing for it. False if it does not exist. */
export const deleteWebhook = async (
  tx: Queries,
  { applicationId, id, transport }: { applicationId: string; id: string; transport: string },
): Promise<boolean> => (await tx.run(remove, [applicationId, id, transport])) === 1
/** Resets the failure counts. */
export const forgetLaneHealth = (tx: Queries, applicationId: string, id: string): Promise<number> =>
  tx.run(forgetHealth, [applicationId, id])

type Requested = ReadonlySet<(typeof requestedTriggers)[number]>

/** The triggers sent only on request to which a destination of the application subscribes, in whatever state it is. */
export async function readRequested(queries: Queries, applicationId: string): Promise<Requested> {
  const rows = await queries.all(triggersOf, [applicationId])
  return new Set(requestedTriggers.filter((name) => rows.some(({ triggers }) => triggers.includes(` ${name} `))))
}
