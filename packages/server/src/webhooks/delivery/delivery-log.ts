/**
 * The log of deliveries as clients and commands see it: outcomes, pages of attempts, and one attempt with its request,
 * reconstructed from stored data. Filters without an index (trigger, grant) are applied in bounded steps that yield in
 * between. If a step finds too few, the result says where to continue.
 */

import { setImmediate as pause } from 'node:timers/promises'
import {
  type AttemptDetail,
  type AttemptRequest,
  type Delivery,
  type DeliveryAttempt,
  limits,
  type WebhookHealth,
} from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { type Clock, seconds } from '@waypost/platform/clock'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import type { Database, Queries } from '@waypost/store/engine/database'
import {
  type AttemptFilter,
  type AttemptHead,
  type AttemptPosition,
  attemptsOf,
  type ListedAttempt,
  listAttempts,
  scanAttempts,
  tallyAttempts,
} from '@waypost/store/tables/notifications/attempt-log'
import { deliveryState, type ListedDelivery } from '@waypost/store/tables/notifications/deliveries'
import type { DestinationAddress } from '@waypost/store/tables/notifications/delivery-leases'
import { getNotification } from '@waypost/store/tables/notifications/notification-stream'
import type { WebhookRow } from '@waypost/store/tables/notifications/webhooks'
import { adviceFor } from '../advice.ts'
import { documentOf, needDestination, placeOf, signingSecrets } from '../destinations.ts'
import { isServed } from '../replay.ts'
import { openAnswers, openPayloadBytes, type PayloadOpener } from '../sealed-payloads.ts'
import { createSigner, type Signer } from '../transports/sign.ts'
import { webhookHeaders } from '../transports/webhook.ts'
import { isDelivered } from './attempt.ts'
import { bodyOf, createBodyWriter, type ReadyNotification } from './body.ts'

/** An attempt with its decrypted response. */
type OpenedAttempt = Omit<ListedAttempt, 'sealed_answer'> & { answer: string | null }

export const attemptOf = (row: OpenedAttempt): DeliveryAttempt => ({
  notification_id: row.notification_id,
  type: row.type,
  grant_id: row.grant_id,
  webhook_delivery_attempt: row.attempt,
  outcome: isDelivered(row) ? 'delivered' : 'failed',
  at: seconds(row.at),
  latency_ms: row.latency_ms,
  status: row.status,
  error: row.error,
  answer: row.answer,
})

export const deliveryOf = ({ notification_id, type, grant_id, state, attempts, due_at }: ListedDelivery): Delivery => ({
  notification_id,
  type,
  grant_id,
  state,
  attempts,
  next_attempt_at: state === 'waiting' ? seconds(due_at) : null,
})

const hourMs = 3_600_000
const quarterMs = hourMs / 4
/** Up to this many hours are reported by quarters of an hour. */
const byQuarters = 6

/** The outcomes of attempts at a destination in the last hours, without gaps. */
export async function healthOver(
  queries: Queries,
  of: DestinationAddress,
  { hours, now }: { hours: number; now: number },
): Promise<WebhookHealth[]> {
  const stepMs = hours > byQuarters ? hourMs : quarterMs
  const to = (Math.floor(now / stepMs) + 1) * stepMs
  const from = to - hours * hourMs
  const othersTurn = yieldBetween()
  const steps: WebhookHealth[] = []
  for (let at = from; at < to; at += stepMs) {
    const counted = await tallyAttempts(queries, of, { from: at, to: at + stepMs, max: limits.attemptsCounted })
    steps.push({ at: seconds(at), ...counted })
    await othersTurn()
  }
  return steps
}

interface AttemptQuestion {
  filter: AttemptFilter & { types?: readonly string[] | undefined; grantId?: string | undefined }
  after: AttemptPosition | undefined
  limit: number
}

interface AttemptsFound {
  rows: readonly ListedAttempt[]
  /** Where to continue. Undefined at the end. */
  next: AttemptPosition | undefined
}

const stepRows = 1_000
const maxSteps = 10

const positionOf = ({ at, notification, attempt }: AttemptHead): AttemptPosition => [at, notification, attempt]

export async function readAttempts(
  database: Database,
  of: DestinationAddress,
  question: AttemptQuestion,
): Promise<AttemptsFound> {
  const { types, grantId, ...filter } = question.filter
  const { after, limit } = question
  if (types === undefined && grantId === undefined) {
    const rows = await listAttempts(database, of, { filter, after, limit: limit + 1 })
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    return { rows: page, next: rows.length > page.length && last ? positionOf(last) : undefined }
  }
  const wants = (head: AttemptHead): boolean =>
    (types === undefined || types.includes(head.type ?? '')) && (grantId ?? head.grant_id) === head.grant_id
  const found: AttemptHead[] = []
  let from = after
  for (let step = 0; step < maxSteps; step++) {
    if (step > 0) await pause()
    const heads = await scanAttempts(database, of, { filter, after: from, limit: stepRows })
    for (const head of heads) {
      from = positionOf(head)
      if (wants(head)) found.push(head)
      if (found.length === limit) return { rows: await whole(database, of, found), next: from }
    }
    if (heads.length < stepRows) return { rows: await whole(database, of, found), next: undefined }
  }
  return { rows: await whole(database, of, found), next: from }
}

async function whole(
  database: Database,
  of: DestinationAddress,
  heads: readonly AttemptHead[],
): Promise<ListedAttempt[]> {
  const keyOf = ({ notification, attempt }: { notification: number; attempt: number }): string =>
    `${notification} ${attempt}`
  const rows = await attemptsOf(database, of, [...new Set(heads.map(({ notification }) => notification))])
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  return heads.flatMap((head) => byKey.get(keyOf(head)) ?? [])
}

interface DetailTools {
  database: Database
  clock: Clock
  secrets: Secrets
  payloads: PayloadOpener
  signatureHeader: string
}

/** The signer at a point in time, as far as the secrets still exist. */
const signerAt = (row: WebhookRow, at: number, { secrets, signatureHeader }: DetailTools): Signer =>
  createSigner(signingSecrets(row, at, secrets), signatureHeader)

/** The requested attempt for a notification, or the last one. */
export async function attemptDetail(
  tools: DetailTools,
  named: { applicationId: string; webhookId: string; notificationId: string; attempt: number | undefined },
): Promise<AttemptDetail> {
  const { database, payloads } = tools
  const at = { applicationId: named.applicationId, webhookId: named.webhookId }
  const row = await needDestination(database, at.applicationId, at.webhookId)
  const stored = await getNotification(database, at.applicationId, named.notificationId)
  const all = stored ? await attemptsOf(database, at, [stored.position]) : []
  const wanted = named.attempt ?? Math.max(...all.map(({ attempt }) => attempt))
  const found = all.filter(({ attempt }) => attempt === wanted)
  const [attempt] = await openAnswers(payloads, at, found)
  if (!stored || !attempt) throw new ApiError('not_found', 'no such attempt is stored')
  const makeReady = createBodyWriter()
  const [reported] = await openPayloadBytes(payloads, [stored], (row, payload) => makeReady({ ...row, payload }))
  const waits = await deliveryState(database, at, stored.position)
  const state = waits?.state ?? (all.some(isDelivered) ? 'delivered' : 'failed')
  return {
    ...attemptOf(attempt),
    state,
    next_attempt_at: waits?.state === 'waiting' ? seconds(waits.due_at) : null,
    request: reported ? requestOf({ row, reported, attempt }, tools) : null,
    advice: isDelivered(attempt) ? [] : adviceFor(attempt, { transport: row.transport, state, served: isServed(row) }),
  }
}

function requestOf(
  {
    row,
    reported,
    attempt: { attempt, at },
  }: { row: WebhookRow; reported: ReadyNotification; attempt: { attempt: number; at: number } },
  tools: DetailTools,
): AttemptRequest {
  const { compressed_delivery: compressed } = documentOf(row)
  const isWebhook = row.transport === 'webhook'
  const sent = { id: reported.id, at, body: bodyOf(reported, attempt, { compressed }), compressed }
  return {
    method: isWebhook ? 'POST' : 'PUBLISH',
    url: isWebhook ? row.webhook_url : placeOf(row).shown,
    headers: isWebhook ? webhookHeaders(signerAt(row, at, tools), sent) : {},
    // Before compression.
    body: bodyOf(reported, attempt, { compressed: false }).toString(),
    compressed,
    is_exact: at >= row.updated_at,
  }
}
