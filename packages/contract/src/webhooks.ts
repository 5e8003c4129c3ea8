/** Webhook destinations: where notifications are sent. */
import { z } from 'zod'
import { choiceParam, Id, integerParam, line, selectParam, Timestamp } from './fields.ts'
import { limits } from './limits.ts'
import { Notification, ShownTrigger, SubscribableTrigger, Trigger } from './notifications.ts'
import { isAddress } from './outgoing.ts'
import { route } from './route.ts'

export const WebhookStatus = z.enum(['active', 'pause', 'failing', 'failed']).meta({
  id: 'WebhookStatus',
  description:
    'Clients set `active` and `pause`; the service sets `failing` (still sent to) and `failed` (no longer sent to)',
})
export type WebhookStatus = z.output<typeof WebhookStatus>

export const Webhook = z
  .object({
    id: Id,
    description: z.string(),
    trigger_types: z.array(Trigger),
    webhook_url: z.string(),
    status: WebhookStatus,
    notification_email_addresses: z.array(z.string()),
    compressed_delivery: z.boolean(),
    status_updated_at: Timestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.output<typeof Webhook>

export const WebhookWithSecret = Webhook.extend({
  webhook_secret: z
    .string()
    .meta({ description: 'The key that deliveries are signed with: told here and never again' }),
}).meta({ id: 'WebhookWithSecret' })
export type WebhookWithSecret = z.output<typeof WebhookWithSecret>

const EmailAddress = line(320).refine(isAddress, { error: 'must be an e-mail address' })

const Url = z
  .string()
  .max(limits.webhookUrlBytes)
  .meta({ description: 'An https address that answers the challenge; one destination for each address' })
const Triggers = z.array(SubscribableTrigger).max(200)
const Description = z.string().max(1024)
const EmailAddresses = z
  .array(EmailAddress)
  .max(20)
  .meta({ description: 'Who is written to when the destination changes its state by itself' })
const Compressed = z
  .boolean()
  .nullish()
  .meta({ description: 'true: bodies are sent as gzip, and the signature is of the compressed bytes' })

const once = <T>(names: readonly T[]): T[] => [...new Set(names)]

export const WebhookDraft = z
  .object({
    webhook_url: Url.min(1),
    trigger_types: Triggers.min(1, { error: 'must name at least one trigger' }).transform(once),
    description: Description.nullish(),
    notification_email_addresses: EmailAddresses.nullish(),
    compressed_delivery: Compressed,
  })
  .meta({ id: 'WebhookDraft' })
export type WebhookDraft = z.output<typeof WebhookDraft>

/** What is empty says nothing, as what is absent. */
const unlessEmpty = <T extends string | readonly unknown[] | null | undefined>(value: T): T | undefined =>
  value?.length === 0 ? undefined : value

export const WebhookChange = z
  .object({
    webhook_url: Url.nullish().transform((url) => url || undefined),
    trigger_types: Triggers.nullish().transform((names) => (names?.length ? once(names) : undefined)),
    description: Description.nullish().transform(unlessEmpty),
    notification_email_addresses: EmailAddresses.nullish().transform(unlessEmpty),
    compressed_delivery: Compressed,
    status: choiceParam(['active', 'pause'], { inactive: 'pause', paused: 'pause' }),
  })
  .partial()
  .meta({ id: 'WebhookChange' })
export type WebhookChange = z.output<typeof WebhookChange>

const Shown = {
  trigger_type: ShownTrigger.meta({ description: 'A trigger, also with the suffix `.truncated` or `.metadata`' }),
}

export const TestEvent = z
  .object({ trigger_type: ShownTrigger.default('message.created'), webhook_url: Url.min(1) })
  .meta({ id: 'TestEvent' })
export type TestEvent = z.output<typeof TestEvent>

export const IpAddresses = z
  .object({ ip_addresses: z.array(z.string()), updated_at: Timestamp })
  .meta({ id: 'IpAddresses' })

export const WebhookHealth = z
  .object({
    at: Timestamp.meta({ description: 'The beginning of the hour, or of the quarter of an hour' }),
    delivered: z.int().meta({ description: 'Attempts that were answered with 2xx' }),
    failed: z.int(),
  })
  .meta({ id: 'WebhookHealth' })
export type WebhookHealth = z.output<typeof WebhookHealth>

const at = '/v3/webhooks'
const challenge =
  'The address is verified first: `GET <webhook_url>?challenge=<text>` must be answered within 10 seconds with status 200 and exactly that text.'
const rotation =
  'The old secret signs beside the new one for 24 hours: in `webhook-signature`, and in the signature header with `-previous` behind its name.'

export const webhooks = {
  list: route({
    method: 'GET',
    path: at,
    summary: 'List the webhook destinations of the application',
    audience: 'application',
    query: z.object(selectParam),
    returns: Webhook,
    list: 'whole',
  }),
  create: route({
    method: 'POST',
    path: at,
    summary: 'Create a webhook destination',
    description: `${challenge} The answer is the only place that tells \`webhook_secret\`.`,
    audience: 'application',
    query: z.object(selectParam),
    body: WebhookDraft,
    returns: WebhookWithSecret,
    errors: ['webhook_unanswered', 'conflict'],
  }),
  mockPayload: route({
    method: 'POST',
    path: `${at}/mock-payload`,
    summary: 'Show a notification of a trigger',
    description: 'Nothing is sent. The whole envelope is in `data`.',
    audience: 'application',
    body: z.object(Shown).meta({ id: 'MockPayload' }),
    returns: Notification,
  }),
  readMockPayload: route({
    method: 'GET',
    path: `${at}/mock-payload`,
    summary: 'Show a notification of a trigger, which the query names',
    audience: 'application',
    query: z.object(Shown),
    returns: Notification,
  }),
  sendTestEvent: route({
    method: 'POST',
    path: `${at}/send-test-event`,
    summary: 'Send a notification that is not real to an address',
    description: 'Signed with the fixed secret `mock-webhook-secret`. The address need not be a destination.',
    audience: 'application',
    body: TestEvent,
    returns: z.literal('success'),
    rate: 'testEvent',
    errors: ['webhook_unanswered'],
  }),
  ipAddresses: route({
    method: 'GET',
    path: `${at}/ip-addresses`,
    summary: 'List the addresses that deliveries come from',
    description: 'As the operator set them; where that was not done, the addresses of the machine that answers.',
    audience: 'application',
    returns: IpAddresses,
  }),
  rotateSecret: route({
    method: 'POST',
    path: `${at}/rotate-secret/:id`,
    summary: 'Give a webhook destination a new secret',
    description: rotation,
    audience: 'application',
    returns: WebhookWithSecret,
    errors: ['not_found'],
  }),
  putRotateSecret: route({
    method: 'PUT',
    path: `${at}/:id/rotate-secret`,
    summary: 'Give a webhook destination a new secret: as some clients spell it',
    description: rotation,
    audience: 'application',
    returns: WebhookWithSecret,
    errors: ['not_found'],
  }),
  get: route({
    method: 'GET',
    path: `${at}/:id`,
    summary: 'Get one webhook destination',
    audience: 'application',
    query: z.object(selectParam),
    returns: Webhook,
    errors: ['not_found'],
  }),
  health: route({
    method: 'GET',
    path: `${at}/:id/health`,
    summary: 'Tell how deliveries to a destination went, over time',
    description: 'The oldest first, up to now: by the hour, over up to 6 hours by the quarter of an hour.',
    audience: 'application',
    query: z.object({ hours: integerParam({ min: 1, max: 720 }).meta({ description: '24 when absent' }) }),
    returns: WebhookHealth,
    list: 'whole',
    errors: ['not_found'],
  }),
  update: route({
    method: 'PUT',
    path: `${at}/:id`,
    summary: 'Change, pause or activate a webhook destination',
    description: `Fields that are absent or empty stay as they are; null empties \`description\` and \`notification_email_addresses\`. When \`status\` is set to \`active\` or the address changes: ${challenge} Other triggers count from now on.`,
    audience: 'application',
    query: z.object(selectParam),
    body: WebhookChange,
    returns: Webhook,
    errors: ['webhook_unanswered', 'not_found', 'conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: `${at}/:id`,
    summary: 'Delete a webhook destination',
    description: 'What waits for it is not sent any more, and the log of its deliveries goes with it.',
    audience: 'application',
    returns: z.object({ status: z.literal('success') }),
    errors: ['not_found'],
  }),
}
