/**
 * The status of a destination in the store. Channels have a prefix: nodes of 1.2.0, which may run on the same store
 * during an upgrade or after a step back, know only webhooks. They serve the statuses `active` and `failing`, and would
 * post to a channel until its deliveries are given up. A status that they do not know keeps them away. Only this file
 * knows the prefix.
 */
import { requestedTriggers, WebhookStatus } from '@waypost/contract'
import { type Queries, sql } from '../../engine/database.ts'
import { named, nullable, number, type RowOf, table, text } from '../../engine/table.ts'

const prefix = 'channel_'

// `case transport when 'webhook'` would not do: Citus sends it to a worker as `when (transport = 'webhook')`.
const isWebhook = `transport = 'webhook'`

/** Reads the status, without the prefix. */
export const statusRead = `case when ${isWebhook} then status else substr(status, ${prefix.length + 1}) end as status`

/** Writes the status from the place of a parameter, with the prefix for channels. */
export const statusWritten = (place: string): string =>
  `case when ${isWebhook} then cast(${place} as text) else '${prefix}' || cast(${place} as text) end`

/** The status of a new row. */
export const storedStatus = ({ transport, status }: { transport: string; status: string }): string =>
  transport === 'webhook' ? status : prefix + status

/** The statuses of webhooks and channels that mean the same, as a list. */
export const storedStatuses = (...statuses: readonly string[]): string =>
  `(${statuses.flatMap((status) => [`'${status}'`, `'${prefix}${status}'`]).join(', ')})`

/** The statuses of destinations that deliveries are queued for and sent to. */
export const servedStatuses = storedStatuses('active', 'failing')

/** All statuses that the row of a channel may have, as a list. */
export const channelStatuses = `(${WebhookStatus.options.map((status) => `'${prefix}${status}'`).join(', ')})`

/**
 * Destinations: webhooks, and channels with another `transport`. `triggers` contains the names surrounded by spaces, so
 * that a substring search finds one of them.
 */
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
