/** The requests that webhook destinations receive: one operation for each trigger. */
import {
  MessageHeadersObject,
  Notification,
  sampleNotification,
  type Trigger,
  triggerNames,
  triggers,
  typesOf,
} from '@waypost/contract'
import { applicationId } from '@waypost/contract/examples'
import { z } from 'zod'
import { type Json, refer } from './json.ts'
import { schemaOf } from './schemas.ts'

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

/** The headers of a delivery. */
export const webhookParameters: Record<string, Json> = {
  ServiceSignature: header(
    'x-service-signature',
    'Hex HMAC-SHA256 of the body, keyed with `webhook_secret`; the operator may rename it',
  ),
  WebhookId: header('webhook-id', 'The `id` of the notification, the same at every attempt'),
  WebhookTimestamp: header('webhook-timestamp', 'When this attempt is made, in seconds'),
  WebhookSignature: header('webhook-signature', 'As Standard Webhooks says; two of them during a rotation'),
}
const parameters = Object.keys(webhookParameters).map((name) => refer('parameters', name))

/** The possible responses of a receiver. */
export const webhookResponses: Record<string, Json> = {
  'webhook.delivered': { description: 'Delivered' },
  'webhook.unwanted': { description: 'Not wanted: this notification is not tried again' },
  'webhook.later': {
    description: 'Tried again later, as `Retry-After` asks',
    headers: { 'retry-after': refer('headers', 'retry-after') },
  },
  'webhook.failed': { description: 'Failed, redirects too: tried again later' },
}
const responses = {
  '2XX': refer('responses', 'webhook.delivered'),
  410: refer('responses', 'webhook.unwanted'),
  429: refer('responses', 'webhook.later'),
  default: refer('responses', 'webhook.failed'),
}

const sampleOf = (name: Trigger): Json =>
  sampleNotification(name, { id: 'a1c9f06d-2e57-4b83-9d40-68f5b7e3c912', time: 1_739_223_252, applicationId })

function schemaFor(name: Trigger): Json {
  const { object, data } = triggers[name]
  const types = typesOf(name)
  const named = (schema: z.ZodType): Json => schemaOf(schema, 'output')
  // By its name: a schema around it has none.
  const whole = object instanceof z.ZodNullable ? { anyOf: [named(object.unwrap()), { type: 'null' }] } : named(object)
  const shown = types.includes(`${name}.metadata`) ? { anyOf: [whole, named(MessageHeadersObject)] } : whole
  const described = { description: 'What it is about, as it is after the change.', ...shown }
  const beside = data ? [named(data.schema)] : []
  const payload = { allOf: [{ type: 'object', properties: { object: described } }, ...beside] }
  const type = { type: 'string', enum: types, description: 'The trigger, with what was left out of the object.' }
  const reported = {
    type: 'object',
    properties: { type, data: { description: 'The application, and what happened.', ...payload } },
  }
  return { allOf: [named(Notification), reported] }
}

/** By trigger. */
export function openApiWebhooks(): Record<string, Json> {
  const named = triggerNames.map((name): [string, Json] => {
    const post = {
      operationId: `notification.${name}`,
      tags: ['notifications'],
      summary: triggers[name].summary,
      description: 'Where `type` ends in `.truncated`, the largest fields of the object are left out.',
      security: [],
      parameters,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaFor(name), example: sampleOf(name) } },
      },
      responses,
    }
    return [name, { post }]
  })
  return Object.fromEntries(named)
}
