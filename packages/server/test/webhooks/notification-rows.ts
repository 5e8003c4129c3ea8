/** The notifications of a store and their queue, as stored. */
import { Trigger, triggers } from '@waypost/contract'
import { createDataSeals, type DataSeals } from '@waypost/platform/crypto/data-seals'
import { newId } from '@waypost/platform/ids'
import { createLog } from '@waypost/platform/log'
import type { Queries } from '@waypost/store/engine/database'
import { sql } from '@waypost/testing/statement'
import { testClock } from '@waypost/testing/test-clock'
import { expect } from 'vitest'
import type { z } from 'zod'
import { payloadContext } from '../../src/webhooks/sealed-payloads.ts'
import type { Json } from '../conformance/accounts.ts'

const key = { id: '0badcafe', bytes: Buffer.alloc(32, 'test') }

/** Seals for a `notify` without services. */
export const testSeals: DataSeals = createDataSeals(
  { newest: () => key, oldest: () => key, find: () => key, refresh: async () => undefined },
  { clock: testClock(), log: createLog('silent') },
)

/** The payload of a stored notification. */
export const payloadOf = (row: SealedRow, seals: DataSeals = testSeals): string =>
  seals.open(row.sealed_payload, payloadContext(row.application_id, row.id))

export interface SealedRow {
  id: string
  application_id: string
  sealed_payload: string
}

interface Row extends SealedRow {
  position: number
  grant_id: string
  sequence: number
  type: string
  source: string
  bytes: number
  created_at: number
}

export interface NotificationRow extends Row {
  object: Json
}

const all = sql<Row>('test.told', 'select * from notifications order by position')
const queue = sql<{ webhook_id: string; notification: number; due_at: number; state: string; bytes: number }>(
  'test.queue',
  'select webhook_id, notification, due_at, state, bytes from deliveries order by due_at, notification',
)

/** Every notification of a grant, in order. Each is checked against the contract, and their numbers for gaps. */
export async function notificationsOf(
  database: Queries,
  grantId: string,
  seals?: DataSeals,
): Promise<NotificationRow[]> {
  const rows = (await database.all(all))
    .filter((row) => row.grant_id === grantId)
    .map((row) => checked(row, payloadOf(row, seals)))
  expect(rows.map((row) => row.sequence)).toEqual(rows.map((_, index) => (rows[0]?.sequence ?? 1) + index))
  return rows
}

function checked(row: Row, payload: string): NotificationRow {
  const data = JSON.parse(payload)
  const schema: z.ZodType = triggers[Trigger.parse(row.type)].object
  const parsed = schema.safeParse(data.object)
  expect(parsed.error?.message, payload).toBeUndefined()
  expect(parsed.data, 'a field that the contract lacks').toEqual(data.object)
  expect(Object.keys(data).sort()).toEqual(['application_id', 'object'])
  expect(data.application_id).toBe(row.application_id)
  expect(data.object.grant_id).toBe(row.grant_id)
  expect(row.bytes).toBe(Buffer.byteLength(payload))
  return { ...row, object: data.object }
}

/** The types of notifications and their grants, in order. */
export const notifiedTypes = async (database: Queries): Promise<Pick<Row, 'grant_id' | 'type'>[]> =>
  (await database.all(all)).map(({ grant_id, type }) => ({ grant_id, type }))

/** The queue, with its waiting notifications. */
export async function queueOf(database: Queries, seals?: DataSeals) {
  const retained = await database.all(all)
  const rows = new Map(retained.map((row) => [row.position, { ...row, payload: payloadOf(row, seals) }]))
  return (await database.all(queue)).map((row) => ({ ...row, reported: rows.get(row.notification) }))
}

const insertWebhook = sql(
  'test.webhook',
  `insert into webhooks (id, application_id, webhook_url, status, triggers, sealed_secret, revision, status_updated_at,
   created_at, updated_at, document) values ($1, $2, $3, $4, $5, 'none', 1, 0, 0, 0, 'none')`,
)

/** Adds a destination row. */
export async function addDestination(
  database: Queries,
  applicationId: string,
  wanted: readonly Trigger[],
  status = 'active',
): Promise<string> {
  const id = newId()
  const words = ` ${wanted.join(' ')} `
  await database.run(insertWebhook, [id, applicationId, `https://example.com/${id}`, status, words])
  return id
}
