/** The body and the name of a notification as a broker takes them. Pure. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { maxBody, truncateBody } from '../envelope.ts'
import type { OutgoingMessage } from './transport.ts'

/**
 * The message with a body of at most `room` bytes. One that is larger loses its largest fields and gets the suffix
 * `.truncated`, as at webhooks above 1 MB. Undefined if it does not fit even so.
 */
export function fitted(message: OutgoingMessage, room: number): OutgoingMessage | undefined {
  const { body: given, compressed } = message
  if (given.length <= room) return message
  const json = compressed ? gunzipSync(given, { maxOutputLength: 2 * maxBody }) : given
  const { type, body } = truncateBody(json, compressed ? room - gzipGrowth(room) : room)
  const shorter = { ...message, type, body: compressed ? gzipSync(body) : body }
  return shorter.body.length <= room ? shorter : undefined
}

/** What gzip adds to bytes that it cannot compress, at most: a header, an end, and five bytes for each block. */
const gzipGrowth = (bytes: number): number => 64 + Math.ceil(bytes / 1_024)

/**
 * The subject or routing key of a message: the text of the channel, with `{type}` replaced by the type. A notification
 * that was truncated goes where the whole one would go, so that no receiver needs a place for large ones.
 */
export const named = (template: string, type: string): string =>
  template.replaceAll('{type}', type.replace(/\.truncated$/, ''))

/** Whether messages of different types have different names, so that one name may be missing alone. */
export const isByType = (template: string): boolean => template.includes('{type}')

/** The status of a message whose own name nobody takes, while the channel may take others. */
export const noPlaceForType = 410
