/** Webhook destinations. */
import { z } from 'zod'
import { changeFields, draftFields, SetStatus, shownFields } from './destination-fields.ts'
import { CreatedAt, Id, integerParam, selectParam, Timestamp, UpdatedAt } from './fields.ts'
import { limits } from './limits.ts'
import { Notification, ShownTrigger } from './notifications.ts'
import { route } from './route.ts'
import { SignatureQuestion, SignatureVerdict } from './webhook-signatures.ts'

export const Webhook = z
  .object({
    id: shownFields.id,
    description: shownFields.description,
    trigger_types: shownFields.trigger_types,
    webhook_url: z.string().meta({ description: 'URL that receives notifications by POST' }),
    status: shownFields.status,
    notification_email_addresses: shownFields.notification_email_addresses,
    compressed_delivery: shownFields.compressed_delivery,
    status_updated_at: shownFields.status_updated_at,
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  })
  .meta({ id: 'Webhook', description: 'A webhook destination: a URL that receives notifications about changes' })
export type Webhook = z.output<typeof Webhook>

export const WebhookWithSecret = Webhook.extend({
  webhook_secret: z
    .string()
    .meta({ description: 'Key with which deliveries are signed (`whsec_…`). Returned only once' }),
}).meta({ id: 'WebhookWithSecret', description: 'A destination with its new secret' })
export type WebhookWithSecret = z.output<typeof WebhookWithSecret>

const Url = z.string().max(limits.webhookUrlBytes).meta({
  description:
    'https URL that responds to the challenge, up to 2048 bytes, without fragment. An application has one destination per URL. The operator can allow plain http and private addresses.',
})
const Compressed = z.boolean().nullish().meta({
  description: 'true: bodies are sent as gzip, and the signature covers the compressed bytes',
})

export const WebhookDraft = z
  .object({
    webhook_url: Url.min(1),
    ...draftFields,
    compressed_delivery: Compressed,
  })
  .meta({ id: 'WebhookDraft', description: 'A new destination' })
export type WebhookDraft = z.output<typeof WebhookDraft>

export const WebhookChange = z
  .object({
    webhook_url: Url.nullish()
      .transform((url) => url || undefined)
      .meta({ description: 'New https URL, which must respond to the challenge; unchanged if absent or empty' }),
    ...changeFields,
    compressed_delivery: Compressed,
    status: SetStatus.meta({
      description:
        '`pause`: nothing is sent, and new changes are not queued. `active`: delivers again once the URL responded to the challenge.',
    }),
  })
  .partial()
  .meta({ id: 'WebhookChange', description: 'Changes to a destination' })
export type WebhookChange = z.output<typeof WebhookChange>

const Shown = {
  trigger_type: ShownTrigger.meta({
    description: 'Trigger of the notification, also with the suffix `.truncated` or `.metadata`',
  }),
}

export const TestEvent = z
  .object({
    trigger_type: ShownTrigger.default('message.created').meta({
      description: 'Trigger of the notification; default `message.created`',
    }),
    webhook_url: Url.min(1).optional().meta({
      description: 'URL of the receiver, which does not have to be a destination. Required if `webhook_id` is absent.',
    }),
    webhook_id: Id.optional().meta({ description: 'Id of a destination of the application, instead of `webhook_url`' }),
    object: z.record(z.string(), z.unknown()).optional().meta({
      description: 'Content of `data.object` instead of the sample; it must match the trigger',
    }),
    secret: z.enum(['test', 'destination']).optional().meta({
      description:
        '`test` (default): signed with the fixed secret `mock-webhook-secret`; `destination`: with the secret of the destination in `webhook_id`. The `source` is then `/waypost/test`, so that receivers can recognize a test.',
    }),
  })
  .meta({ id: 'TestEvent', description: 'A test notification' })
export type TestEvent = z.output<typeof TestEvent>

export const IpAddresses = z
  .object({
    ip_addresses: z
      .array(z.string())
      .meta({ description: 'IP addresses of the service for outgoing deliveries, for firewalls' }),
    updated_at: Timestamp.meta({ description: 'Start time of the responding node in Unix seconds' }),
  })
  .meta({ id: 'IpAddresses', description: 'Source addresses of deliveries' })

export const WebhookHealth = z
  .object({
    at: Timestamp.meta({ description: 'Start of the hour or quarter of an hour, in Unix seconds' }),
    delivered: z
      .int()
      .meta({ description: `Number of attempts with a 2xx response, counted up to ${limits.attemptsCounted}` }),
    failed: z.int().meta({
      description: `Number of attempts with another response or none, counted up to ${limits.attemptsCounted}`,
    }),
  })
  .meta({ id: 'WebhookHealth', description: 'Delivery figures of a destination in one time step' })
export type WebhookHealth = z.output<typeof WebhookHealth>

const at = '/v3/webhooks'
const challenge =
  'The URL is verified first: it must respond to `GET <webhook_url>?challenge=<text>` within 10 seconds with status 200 and exactly that text.'
const rotation =
  'The old secret also signs for 24 hours: in `webhook-signature`, and in the signature header with the suffix `-previous`.'

export const webhooks = {
  list: route({
    right: 'webhooks',
    method: 'GET',
    path: at,
    summary: 'List the webhook destinations of the application',
    description: `Returns all of them, up to ${limits.webhooks} per application. Secrets are never returned.`,
    audience: 'application',
    query: z.object(selectParam),
    returns: Webhook,
    list: 'whole',
  }),
  create: route({
    right: 'webhooks',
    method: 'POST',
    path: at,
    summary: 'Create a webhook destination',
    description: `${challenge} Only this response contains \`webhook_secret\`.`,
    audience: 'application',
    query: z.object(selectParam),
    body: WebhookDraft,
    returns: WebhookWithSecret,
    errors: ['webhook_unanswered', 'conflict'],
  }),
  mockPayload: route({
    right: 'webhooks',
    method: 'POST',
    path: `${at}/mock-payload`,
    summary: 'Get a sample notification',
    description: 'Nothing is sent. The whole envelope is in `data`.',
    audience: 'application',
    body: z.object(Shown).meta({ id: 'MockPayload', description: 'The notification to return' }),
    returns: Notification,
  }),
  readMockPayload: route({
    right: 'webhooks',
    method: 'GET',
    path: `${at}/mock-payload`,
    summary: 'Get a sample notification by query',
    description: 'Equivalent to `POST`. Nothing is sent. The whole envelope is in `data`.',
    audience: 'application',
    query: z.object(Shown),
    returns: Notification,
  }),
  sendTestEvent: route({
    right: 'webhooks',
    method: 'POST',
    path: `${at}/send-test-event`,
    summary: 'Send a test notification',
    description:
      'Sends it to a URL, which does not have to be a destination, or to a destination by id. Its content is the sample of the trigger, or the `object` of the request, which must match the trigger. Signed with the fixed secret `mock-webhook-secret` unless `secret` is set.',
    audience: 'application',
    body: TestEvent,
    returns: z.literal('success').meta({ description: 'Always `success`: the receiver responded with 2xx' }),
    rate: 'testEvent',
    errors: ['webhook_unanswered', 'not_found'],
  }),
  ipAddresses: route({
    right: 'webhooks',
    method: 'GET',
    path: `${at}/ip-addresses`,
    summary: 'List the source addresses of deliveries',
    description: 'As set by the operator; default: the addresses of the responding machine.',
    audience: 'application',
    returns: IpAddresses,
  }),
  rotateSecret: route({
    right: 'webhooks',
    method: 'POST',
    path: `${at}/rotate-secret/:id`,
    summary: 'Rotate the secret of a webhook destination',
    description: rotation,
    audience: 'application',
    returns: WebhookWithSecret,
    errors: ['not_found'],
  }),
  putRotateSecret: route({
    right: 'webhooks',
    method: 'PUT',
    path: `${at}/:id/rotate-secret`,
    summary: 'Rotate the secret of a webhook destination (alternative path)',
    description: rotation,
    audience: 'application',
    returns: WebhookWithSecret,
    errors: ['not_found'],
  }),
  verifySignature: route({
    right: 'webhooks',
    method: 'POST',
    path: `${at}/:id/verify-signature`,
    summary: 'Check the signatures of a delivery',
    description:
      'For developers of receivers: send the headers and body as received. The response says which signatures are valid, and why others are not. It contains no secret, and nothing is sent.',
    audience: 'application',
    body: SignatureQuestion,
    returns: SignatureVerdict,
    errors: ['not_found'],
  }),
  get: route({
    right: 'webhooks',
    method: 'GET',
    path: `${at}/:id`,
    summary: 'Get one webhook destination',
    description: 'Includes its status; the secret is never returned.',
    audience: 'application',
    query: z.object(selectParam),
    returns: Webhook,
    errors: ['not_found'],
  }),
  health: route({
    right: 'webhooks',
    method: 'GET',
    path: `${at}/:id/health`,
    summary: 'Get the delivery figures of a destination over time',
    description: 'Oldest first, up to now. Steps are one hour, or 15 minutes for up to 6 hours.',
    audience: 'application',
    query: z.object({
      hours: integerParam({ min: 1, max: 720 }).meta({ description: 'Number of hours, up to 720; default 24' }),
    }),
    returns: WebhookHealth,
    list: 'whole',
    errors: ['not_found'],
  }),
  update: route({
    right: 'webhooks',
    method: 'PUT',
    path: `${at}/:id`,
    summary: 'Change, pause or activate a webhook destination',
    description: `Absent or empty fields stay unchanged; null clears \`description\` and \`notification_email_addresses\`. When \`status\` is set to \`active\` or the URL changes: ${challenge} New triggers take effect immediately.`,
    audience: 'application',
    query: z.object(selectParam),
    body: WebhookChange,
    returns: Webhook,
    errors: ['webhook_unanswered', 'not_found', 'conflict'],
  }),
  delete: route({
    right: 'webhooks',
    method: 'DELETE',
    path: `${at}/:id`,
    summary: 'Delete a webhook destination',
    description: 'Waiting notifications are not sent, and its delivery log is deleted.',
    audience: 'application',
    returns: z.object({
      status: z.literal('success').meta({ description: 'Always `success`: the destination was deleted' }),
    }),
    errors: ['not_found'],
  }),
}
