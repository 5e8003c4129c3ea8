/** Webhook destinations: where notifications are sent. */
import { z } from 'zod'
import { CreatedAt, choiceParam, Id, integerParam, line, selectParam, Timestamp, UpdatedAt } from './fields.ts'
import { limits } from './limits.ts'
import { Notification, ShownTrigger, SubscribableTrigger, Trigger } from './notifications.ts'
import { isAddress } from './outgoing.ts'
import { route } from './route.ts'
import { SignatureQuestion, SignatureVerdict } from './webhook-signatures.ts'

export const WebhookStatus = z.enum(['active', 'pause', 'failing', 'failed']).meta({
  id: 'WebhookStatus',
  description:
    'State of a destination. Clients set `active` and `pause`; the service sets `failing` (95 % of the attempts of 15 minutes failed; still sent to) and, after 72 hours of that, `failed` (no longer sent to).',
})
export type WebhookStatus = z.output<typeof WebhookStatus>

export const Webhook = z
  .object({
    id: Id.meta({ description: 'Id of the destination' }),
    description: z.string().meta({ description: 'What it is for, in your words; empty where nothing was said' }),
    trigger_types: z.array(Trigger).meta({ description: 'What it is told of' }),
    webhook_url: z.string().meta({ description: 'Address that notifications are posted to' }),
    status: WebhookStatus.meta({
      description:
        '`active` and `failing` are sent to; `pause`, which you set, and `failed`, which the service sets, are not',
    }),
    notification_email_addresses: z.array(z.string()).meta({
      description: 'Who is written to when the service changes its state',
    }),
    compressed_delivery: z.boolean().meta({ description: 'Whether bodies are sent as gzip' }),
    status_updated_at: Timestamp.meta({ description: 'When `status` last changed, in Unix seconds' }),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  })
  .meta({ id: 'Webhook', description: 'A destination: an address that is told of changes' })
export type Webhook = z.output<typeof Webhook>

export const WebhookWithSecret = Webhook.extend({
  webhook_secret: z
    .string()
    .meta({ description: 'Key that deliveries are signed with (`whsec_…`): told here and never again' }),
}).meta({ id: 'WebhookWithSecret', description: 'A destination with its new secret' })
export type WebhookWithSecret = z.output<typeof WebhookWithSecret>

const EmailAddress = line(320).refine(isAddress, { error: 'must be an e-mail address' })

const Url = z.string().max(limits.webhookUrlBytes).meta({
  description:
    'https address that answers the challenge, of up to 2048 bytes and without fragment. An application has one destination for each address. Plain http and private addresses are for the operator to allow.',
})
const Triggers = z.array(SubscribableTrigger).max(200)
const Description = z.string().max(1024)
const EmailAddresses = z.array(EmailAddress).max(20)
const words = {
  trigger_types: 'What to be told of: names of triggers, such as `message.created`',
  description: 'What it is for, in your words: up to 1024 characters',
  emails:
    'Who is written to when the service changes the state of the destination: up to 20 addresses. Needs a mail identity of the service.',
} as const
const Compressed = z.boolean().nullish().meta({
  description: 'true: bodies are sent as gzip, and the signature is of the compressed bytes',
})

const once = <T>(names: readonly T[]): T[] => [...new Set(names)]

export const WebhookDraft = z
  .object({
    webhook_url: Url.min(1),
    trigger_types: Triggers.min(1, { error: 'must name at least one trigger' })
      .transform(once)
      .meta({ description: words.trigger_types }),
    description: Description.nullish().meta({ description: words.description }),
    notification_email_addresses: EmailAddresses.nullish().meta({ description: words.emails }),
    compressed_delivery: Compressed,
  })
  .meta({ id: 'WebhookDraft', description: 'A destination to be made' })
export type WebhookDraft = z.output<typeof WebhookDraft>

/** What is empty says nothing, as what is absent. */
const unlessEmpty = <T extends string | readonly unknown[] | null | undefined>(value: T): T | undefined =>
  value?.length === 0 ? undefined : value

export const WebhookChange = z
  .object({
    webhook_url: Url.nullish()
      .transform((url) => url || undefined)
      .meta({ description: 'Another https address, which must answer the challenge; stays when absent or empty' }),
    trigger_types: Triggers.nullish()
      .transform((names) => (names?.length ? once(names) : undefined))
      .meta({ description: 'What to be told of from now on: replaces the list; stays when absent or empty' }),
    description: Description.nullish()
      .transform(unlessEmpty)
      .meta({ description: 'What it is for, in your words; stays when absent or empty, null empties it' }),
    notification_email_addresses: EmailAddresses.nullish().transform(unlessEmpty).meta({
      description:
        'Who is written to when the service changes the state of the destination; stays when absent or empty, null empties it',
    }),
    compressed_delivery: Compressed,
    status: choiceParam(['active', 'pause'], { inactive: 'pause', paused: 'pause' }).meta({
      description:
        '`pause`: nothing is sent, and what happens meanwhile is not queued. `active`: sent to again, once the address answers the challenge.',
    }),
  })
  .partial()
  .meta({ id: 'WebhookChange', description: 'What is to change of a destination' })
export type WebhookChange = z.output<typeof WebhookChange>

const Shown = {
  trigger_type: ShownTrigger.meta({
    description: 'Trigger whose notification is shown, also with the suffix `.truncated` or `.metadata`',
  }),
}

export const TestEvent = z
  .object({
    trigger_type: ShownTrigger.default('message.created').meta({
      description: 'Trigger whose notification is sent; `message.created` when absent',
    }),
    webhook_url: Url.min(1).optional().meta({
      description: 'Address to send it to. It need not be a destination. Needed where `webhook_id` is absent.',
    }),
    webhook_id: Id.optional().meta({ description: 'In place of `webhook_url`: a destination of the application' }),
    object: z.record(z.string(), z.unknown()).optional().meta({
      description:
        'What stands in `data.object` in place of the sample: an object as notifications of the trigger have it',
    }),
    secret: z.enum(['test', 'destination']).optional().meta({
      description:
        '`test` (default): signed with the fixed secret `mock-webhook-secret`; `destination`: with the secret of the destination, beside `webhook_id`. Its `source` is `/waypost/test` then, so that nobody takes it for the truth.',
    }),
  })
  .meta({ id: 'TestEvent', description: 'A notification that is to be sent to try a receiver' })
export type TestEvent = z.output<typeof TestEvent>

export const IpAddresses = z
  .object({
    ip_addresses: z
      .array(z.string())
      .meta({ description: 'Network addresses that deliveries come from, for firewalls' }),
    updated_at: Timestamp.meta({ description: 'When the node that answers was started, in Unix seconds' }),
  })
  .meta({ id: 'IpAddresses', description: 'Where deliveries come from' })

export const WebhookHealth = z
  .object({
    at: Timestamp.meta({ description: 'Beginning of the hour, or of the quarter of an hour, in Unix seconds' }),
    delivered: z
      .int()
      .meta({ description: `How many attempts were answered with 2xx, counted up to ${limits.attemptsCounted}` }),
    failed: z.int().meta({
      description: `How many attempts were answered otherwise, or not at all, counted up to ${limits.attemptsCounted}`,
    }),
  })
  .meta({ id: 'WebhookHealth', description: 'How deliveries to a destination went in one step of time' })
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
    description: `Whole: an application has up to ${limits.webhooks}. Secrets are never answered.`,
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
    body: z.object(Shown).meta({ id: 'MockPayload', description: 'Which notification to show' }),
    returns: Notification,
  }),
  readMockPayload: route({
    method: 'GET',
    path: `${at}/mock-payload`,
    summary: 'Show a notification of a trigger, which the query names',
    description: 'The same as with `POST`. Nothing is sent. The whole envelope is in `data`.',
    audience: 'application',
    query: z.object(Shown),
    returns: Notification,
  }),
  sendTestEvent: route({
    method: 'POST',
    path: `${at}/send-test-event`,
    summary: 'Send a notification that is not real to an address',
    description:
      'To an address, which need not be a destination, or to a destination by its id. What it tells is the sample of the trigger, or the `object` of the request, which must fit the trigger. Signed with the fixed secret `mock-webhook-secret` unless `secret` says otherwise.',
    audience: 'application',
    body: TestEvent,
    returns: z.literal('success').meta({ description: 'Always `success`: the address answered with 2xx' }),
    rate: 'testEvent',
    errors: ['webhook_unanswered', 'not_found'],
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
  verifySignature: route({
    method: 'POST',
    path: `${at}/:id/verify-signature`,
    summary: 'Check the signatures of a delivery',
    description:
      'For whoever writes a receiver: give headers and body as they came, and the answer says which signatures are right, and why others are not. No secret is told, and nothing is sent.',
    audience: 'application',
    body: SignatureQuestion,
    returns: SignatureVerdict,
    errors: ['not_found'],
  }),
  get: route({
    method: 'GET',
    path: `${at}/:id`,
    summary: 'Get one webhook destination',
    description: 'With its state; the secret is never answered.',
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
    query: z.object({
      hours: integerParam({ min: 1, max: 720 }).meta({ description: 'How many hours back, up to 720; 24 when absent' }),
    }),
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
    returns: z.object({
      status: z.literal('success').meta({ description: 'Always `success`: the destination is gone' }),
    }),
    errors: ['not_found'],
  }),
}
