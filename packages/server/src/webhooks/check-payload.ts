/** In tests and development, a notification that deviates from the contract fails here rather than at a receiver. */
import { isDeepStrictEqual } from 'node:util'
import { MessageHeadersObject, triggers } from '@waypost/contract'
import { z } from 'zod'
import type { Notified } from '../grants/notify.ts'

function compare(what: string, schema: z.ZodType, value: unknown): void {
  const plain = JSON.parse(JSON.stringify(value))
  const parsed = schema.safeParse(plain)
  if (!parsed.success) throw new Error(`${what} does not match its contract: ${parsed.error.message}`)
  if (!isDeepStrictEqual(parsed.data, plain)) {
    throw new Error(`${what} has fields that the contract lacks: ${JSON.stringify(plain)}`)
  }
}

export function checkPayload({ trigger, suffix, object, data = {} }: Notified): void {
  const facts = triggers[trigger]
  compare(trigger, suffix === 'metadata' ? MessageHeadersObject : facts.object, object)
  compare(trigger, facts.data?.schema ?? z.object({}), data)
}
