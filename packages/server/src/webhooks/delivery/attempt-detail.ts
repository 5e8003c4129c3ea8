/** One attempt with its request, reconstructed from stored data. */
import type { AttemptDetail, AttemptRequest } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { type Clock, seconds } from '@waypost/platform/clock'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import type { Database } from '@waypost/store/engine/database'
import { attemptsOf } from '@waypost/store/tables/notifications/attempt-log'
import { deliveryState } from '@waypost/store/tables/notifications/deliveries'
import { getNotification } from '@waypost/store/tables/notifications/notification-stream'
import type { WebhookRow } from '@waypost/store/tables/notifications/webhooks'
import { adviceFor } from '../advice.ts'
import { documentOf, needDestination, placeOf, secretContext } from '../destinations.ts'
import { isServed } from '../replay.ts'
import { openAnswers, openPayloadBytes, type PayloadOpener } from '../sealed-payloads.ts'
import { createSigner, type Signer } from '../transports/sign.ts'
import { webhookHeaders } from '../transports/webhook.ts'
import { isDelivered } from './attempt.ts'
import { bodyOf, createBodyWriter, type ReadyNotification } from './body.ts'
import { attemptOf } from './delivery-log.ts'

export interface DetailTools {
  database: Database
  clock: Clock
  secrets: Secrets
  payloads: PayloadOpener
  signatureHeader: string
}

/** The signer at a point in time, as far as the secrets still exist. */
export function signerAt(row: WebhookRow, at: number, { secrets, signatureHeader }: DetailTools): Signer {
  const { sealed_previous_secret: old, previous_secret_until: until } = row
  const previous =
    old !== null && until !== null && until > at
      ? secrets.open(old, secretContext(row, 'sealed_previous_secret'))
      : undefined
  const current = secrets.open(row.sealed_secret, secretContext(row, 'sealed_secret'))
  return createSigner({ current, previous }, signatureHeader)
}

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
