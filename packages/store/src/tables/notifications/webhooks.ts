/**
 * Destinations: webhooks, and channels with another `transport`. `triggers` contains the names surrounded by spaces, so that a substring search finds one of
 * them.
 */
import { requestedTriggers } from '@waypost/contract'
import { type Queries, sql } from '../../engine/database.ts'
import { statusRead, statusWritten, storedStatus } from './destination-status.ts'

export interface WebhookRow {
  id: string
  application_id: string
  transport: string
  /** The URL of a webhook. Channels have a name that is unique and no URL. */
  webhook_url: string
  /** Where a channel publishes, as JSON. Null for webhooks. */
  settings: string | null
  status: string
  triggers: string
  /** The secret that signs deliveries of a webhook; the credentials of a channel, as JSON. */
  sealed_secret: string
  sealed_previous_secret: string | null
  previous_secret_until: number | null
  /** Incremented with each change, so that a cached destination can be recognized as outdated. */
  revision: number
  status_updated_at: number
  created_at: number
  updated_at: number
  document: string
}

const inserted =
  'id, application_id, transport, webhook_url, settings, status, triggers, sealed_secret, sealed_previous_secret, previous_secret_until, revision, status_updated_at, created_at, updated_at, document'
const columns = inserted.replace(' status,', ` ${statusRead},`)

const insert = sql({
  name: 'webhooks.insert',
  text: `insert into webhooks (${inserted})
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
   on conflict (application_id, webhook_url) do nothing`,
  writes: ['webhooks'],
})
const list = sql<WebhookRow>({
  name: 'webhooks.list',
  text: `select ${columns} from webhooks where application_id = $1 order by created_at, id`,
  reads: ['webhooks'],
})
const get = sql<WebhookRow>({
  name: 'webhooks.get',
  text: `select ${columns} from webhooks where application_id = $1 and id = $2`,
  reads: ['webhooks'],
})
const triggersOf = sql<Pick<WebhookRow, 'triggers'>>({
  name: 'webhooks.triggers',
  text: 'select triggers from webhooks where application_id = $1',
  reads: ['webhooks'],
})
const addresses = sql<Pick<WebhookRow, 'id' | 'webhook_url'>>({
  name: 'webhooks.addresses',
  text: `select id, webhook_url from webhooks where application_id = $1 and transport = 'webhook'`,
  reads: ['webhooks'],
})
const count = sql<{ n: number }>({
  name: 'webhooks.count',
  text: 'select count(*) as n from webhooks where application_id = $1 and transport = $2',
  reads: ['webhooks'],
})
const lock = sql<WebhookRow>({
  name: 'webhooks.lock',
  text: `update webhooks set revision = revision + 1 where application_id = $1 and id = $2 returning ${columns}`,
  writes: ['webhooks'],
  raises: ['deliveries'],
})
const update = sql({
  name: 'webhooks.update',
  text: `update webhooks set webhook_url = $3, status = ${statusWritten('$4')}, triggers = $5, sealed_secret = $6, sealed_previous_secret = $7,
   previous_secret_until = $8, status_updated_at = $9, updated_at = $10, document = $11, settings = $12
   where application_id = $1 and id = $2`,
  writes: ['webhooks'],
  raises: ['deliveries'],
})
const remove = sql({
  name: 'webhooks.remove',
  text: 'delete from webhooks where application_id = $1 and id = $2 and transport = $3',
  writes: ['webhooks'],
})
const forgetHealth = sql({
  name: 'delivery_leases.forgetHealth',
  text: 'update delivery_leases set health = null, judge_at = null where application_id = $1 and webhook_id = $2',
  writes: ['delivery_leases'],
})

/** Inserts the row. False if the application already has a destination with that URL. */
export const insertWebhook = async (tx: Queries, row: WebhookRow): Promise<boolean> =>
  (await tx.run(insert, [
    row.id,
    row.application_id,
    row.transport,
    row.webhook_url,
    row.settings,
    storedStatus(row),
    row.triggers,
    row.sealed_secret,
    row.sealed_previous_secret,
    row.previous_secret_until,
    row.revision,
    row.status_updated_at,
    row.created_at,
    row.updated_at,
    row.document,
  ])) === 1
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
export const updateWebhook = (tx: Queries, row: WebhookRow): Promise<number> =>
  tx.run(update, [
    row.application_id,
    row.id,
    row.webhook_url,
    row.status,
    row.triggers,
    row.sealed_secret,
    row.sealed_previous_secret,
    row.previous_secret_until,
    row.status_updated_at,
    row.updated_at,
    row.document,
    row.settings,
  ])
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
