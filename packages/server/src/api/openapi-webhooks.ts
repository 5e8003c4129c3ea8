/** What destinations are sent, for the OpenAPI document: one operation for each trigger, as the receiver has to have it. */
import { MessageHeadersObject, Notification, triggerNames, triggers, typesOf } from '@waypost/contract'
import { z } from 'zod'

type Json = Record<string, unknown>

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const parameters = [
  header('x-service-signature', 'Hex HMAC-SHA256 of the body, keyed with `webhook_secret`; the operator may rename it'),
  header('webhook-id', 'The `id` of the notification, the same at every attempt'),
  header('webhook-timestamp', 'When this attempt is made, in seconds'),
  header('webhook-signature', 'As Standard Webhooks says; two of them during a rotation'),
]

const responses = {
  '2XX': { description: 'Delivered' },
  410: { description: 'Not wanted: this notification is not tried again' },
  429: {
    description: 'Tried again later, as `Retry-After` asks',
    headers: { 'retry-after': { schema: { type: 'string' } } },
  },
  default: { description: 'Failed, redirects too: tried again later' },
}

export function openApiWebhooks(schemaOf: (schema: z.ZodType) => Json): Record<string, Json> {
  const named = triggerNames.map((name): [string, Json] => {
    const { summary, object, data } = triggers[name]
    const types = typesOf(name)
    // By its name: a schema around it has none.
    const whole =
      object instanceof z.ZodNullable ? { anyOf: [schemaOf(object.unwrap()), { type: 'null' }] } : schemaOf(object)
    const shown = types.includes(`${name}.metadata`) ? { anyOf: [whole, schemaOf(MessageHeadersObject)] } : whole
    const beside = data ? [schemaOf(data.schema)] : []
    const payload = { allOf: [{ type: 'object', properties: { object: shown } }, ...beside] }
    const told = { type: 'object', properties: { type: { type: 'string', enum: types }, data: payload } }
    const post = {
      operationId: `notification.${name}`,
      tags: ['notifications'],
      summary,
      description: 'Where `type` ends in `.truncated`, the largest fields of the object are left out.',
      security: [],
      parameters,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { allOf: [schemaOf(Notification), told] } } },
      },
      responses,
    }
    return [name, { post }]
  })
  return Object.fromEntries(named)
}
