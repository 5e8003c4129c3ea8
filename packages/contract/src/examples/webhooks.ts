import type { deliveries, notifications, StreamedNotification } from '../deliveries.ts'
import type { Notification } from '../notifications.ts'
import type { Webhook, webhooks } from '../webhooks.ts'
import type { ExamplesOf } from './example.ts'
import { applicationId, grantId, sampleEvent } from './shared.ts'

const webhook: Webhook = {
  id: 'k4w9tz2hc7mvb3xq8rnd5ysp6e',
  description: 'Bookings',
  trigger_types: ['event.created', 'event.updated', 'event.deleted', 'grant.expired'],
  webhook_url: 'https://app.example.com/hooks/waypost',
  status: 'active',
  notification_email_addresses: ['ops@example.com'],
  compressed_delivery: false,
  status_updated_at: 1_736_424_600,
  created_at: 1_736_424_600,
  updated_at: 1_736_424_600,
}
const secret = 'whsec_3Qm7xK1vT9cB5nZ0pL8sR2wY6hJ4dF/gA+EuIoVkTyM='
const params = { id: webhook.id }
const notificationId = '01955f0c-7f6a-7c42-9d1e-5b8a3c60f217'
const notification: Notification = {
  specversion: '1.0',
  type: 'event.created',
  source: '/google/events/realtime',
  id: notificationId,
  time: 1_739_223_251,
  webhook_delivery_attempt: 1,
  grant_sequence: 1,
  data: { application_id: applicationId, object: sampleEvent },
}
const { webhook_delivery_attempt: _attempt, ...rest } = notification
const streamed: StreamedNotification = { ...rest, grant_sequence: 17 }
const signatureHeaders = {
  'x-service-signature': '6d2f6f0f8b4f2d7c1c8f3a5e9b07d4a1e2c35f6879ab0c1d2e3f405162738495',
  'x-nylas-signature': '6d2f6f0f8b4f2d7c1c8f3a5e9b07d4a1e2c35f6879ab0c1d2e3f405162738495',
  'webhook-id': notificationId,
  'webhook-timestamp': '1739223257',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}
const rotated = { ...webhook, updated_at: 1_739_175_300, webhook_secret: secret }

export const webhookExamples: ExamplesOf<typeof webhooks> = {
  list: { answer: [webhook] },
  create: {
    body: {
      webhook_url: webhook.webhook_url,
      trigger_types: webhook.trigger_types,
      description: webhook.description,
      notification_email_addresses: webhook.notification_email_addresses,
    },
    answer: { ...webhook, webhook_secret: secret },
  },
  mockPayload: { body: { trigger_type: 'event.created' }, answer: notification },
  readMockPayload: { query: { trigger_type: 'event.created' }, answer: notification },
  sendTestEvent: {
    body: { trigger_type: 'event.created', webhook_url: webhook.webhook_url },
    answer: 'success',
    more: {
      own: {
        summary: 'Your own object to a destination, signed with its secret',
        body: {
          trigger_type: 'event.created',
          webhook_id: webhook.id,
          object: { ...sampleEvent, title: 'Stand-up' },
          secret: 'destination',
        },
        answer: 'success',
      },
    },
  },
  verifySignature: {
    params,
    body: {
      headers: signatureHeaders,
      body: JSON.stringify({ ...notification, webhook_delivery_attempt: 2 }, null, 2),
    },
    answer: {
      valid: false,
      checks: [
        { header: 'x-service-signature', result: 'body_changed' },
        { header: 'x-nylas-signature', result: 'body_changed' },
        { header: 'webhook-signature', result: 'body_changed' },
      ],
      age_seconds: 31,
      too_old: false,
      explanation: [
        'The signature is valid for the same JSON without its spaces, so something parsed and rewrote the body. Verify the exact bytes that you received, before anything parses or trims them.',
      ],
    },
  },
  ipAddresses: { answer: { ip_addresses: ['198.51.100.24', '2001:db8::24'], updated_at: 1_739_145_600 } },
  rotateSecret: { params, answer: rotated },
  putRotateSecret: { params, answer: rotated },
  get: { params, answer: webhook },
  health: {
    params,
    query: { hours: 2 },
    answer: [
      { at: 1_739_217_600, delivered: 31, failed: 0 },
      { at: 1_739_218_500, delivered: 28, failed: 0 },
      { at: 1_739_219_400, delivered: 4, failed: 22 },
      { at: 1_739_220_300, delivered: 0, failed: 9 },
      { at: 1_739_221_200, delivered: 37, failed: 1 },
      { at: 1_739_222_100, delivered: 30, failed: 0 },
      { at: 1_739_223_000, delivered: 26, failed: 0 },
      { at: 1_739_223_900, delivered: 3, failed: 0 },
    ],
  },
  update: {
    params,
    body: { status: 'pause' },
    answer: { ...webhook, status: 'pause', status_updated_at: 1_739_175_300, updated_at: 1_739_175_300 },
    more: {
      triggers: {
        summary: 'Other triggers',
        params,
        body: { trigger_types: ['message.created', 'grant.expired'] },
        answer: { ...webhook, trigger_types: ['message.created', 'grant.expired'], updated_at: 1_739_175_300 },
      },
    },
  },
  delete: { params, answer: { status: 'success' } },
}

export const deliveryExamples: ExamplesOf<typeof deliveries> = {
  list: {
    params,
    query: { state: 'waiting' },
    answer: [
      {
        notification_id: notificationId,
        type: 'event.created',
        grant_id: grantId,
        state: 'waiting',
        attempts: 2,
        next_attempt_at: 1_739_223_563,
      },
    ],
  },
  attempts: {
    params,
    query: { outcome: 'failed', limit: 20 },
    answer: [
      {
        notification_id: notificationId,
        type: 'event.created',
        grant_id: grantId,
        webhook_delivery_attempt: 2,
        outcome: 'failed',
        at: 1_739_223_257,
        latency_ms: 84,
        status: 503,
        error: null,
        answer: 'upstream is restarting',
      },
      {
        notification_id: notificationId,
        type: 'event.created',
        grant_id: grantId,
        webhook_delivery_attempt: 1,
        outcome: 'failed',
        at: 1_739_223_251,
        latency_ms: 10_000,
        status: null,
        error: 'no answer within 10000 ms',
        answer: null,
      },
    ],
  },
  attempt: {
    params: { id: webhook.id, notification_id: notificationId },
    query: { attempt: 2 },
    answer: {
      notification_id: notificationId,
      type: 'event.created',
      grant_id: grantId,
      webhook_delivery_attempt: 2,
      outcome: 'failed',
      at: 1_739_223_257,
      latency_ms: 84,
      status: 503,
      error: null,
      answer: 'upstream is restarting',
      state: 'waiting',
      next_attempt_at: 1_739_223_563,
      request: {
        method: 'POST',
        url: webhook.webhook_url,
        headers: {
          ...signatureHeaders,
          'content-type': 'application/json',
          'user-agent': 'waypost/1.0.0',
        },
        body: JSON.stringify({ ...notification, webhook_delivery_attempt: 2 }),
        compressed: false,
        is_exact: true,
      },
      advice: [
        'The receiver is temporarily unavailable. The service retries automatically. If this continues, check the log of the receiver.',
      ],
    },
  },
  backlog: { params, answer: { due: 0, later: 9, failed: 22, more: false, next_attempt_at: 1_739_223_563 } },
  replay: {
    summary: 'All permanently failed ones',
    params,
    body: { failed: true },
    answer: { replayed: 22 },
    more: {
      span: {
        summary: 'A time range',
        params,
        body: { start: 1_739_219_400, end: 1_739_221_200 },
        answer: { replayed: 35 },
      },
      count: {
        summary: 'Dry run for one trigger and one grant',
        params,
        body: { start: 1_739_219_400, trigger_types: ['event.created'], grant_id: grantId, dry_run: true },
        answer: { replayed: 0, matching: 12, more: false },
      },
    },
  },
  deliverNow: { params, answer: { due: 9, more: false } },
  deliverAllNow: { answer: { due: 31, more: false, destinations: 2 } },
}

export const notificationExamples: ExamplesOf<typeof notifications> = {
  list: {
    query: { wait: 10, trigger_types: ['event.created', 'event.updated'] },
    answer: [streamed],
    next_cursor: 'eyJ0IjoxMDQyLCJwIjo4ODF9',
  },
  get: {
    params: { id: notificationId },
    answer: {
      ...streamed,
      deliveries: [{ webhook_id: webhook.id, state: 'waiting', attempts: 2, next_attempt_at: 1_739_223_563 }],
    },
  },
}
