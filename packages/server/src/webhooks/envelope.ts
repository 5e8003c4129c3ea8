/**
 * The body of a notification, assembled from texts: the stored payload is sent unchanged to every destination and at
 * every attempt. Pure.
 */

import type { Event } from '@waypost/contract'
import { seconds } from '@waypost/platform/clock'
import { fieldOf } from '@waypost/platform/json/values'
import { withTextDescription } from '@waypost/providers/calendar/text-description'
import type { Notified } from '../grants/notify.ts'

export interface Envelope {
  type: string
  source: string
  id: string
  /** Milliseconds. */
  createdAt: number
  /** The sequence number of the notification within its grant, so that a receiver can detect gaps. */
  sequence: number
  attempt: number
  /** The JSON text of `data`. */
  data: string
}

const head = ({ type, source, id, createdAt }: Head): string =>
  `{"specversion":"1.0","type":${JSON.stringify(type)},"source":${JSON.stringify(source)},"id":${JSON.stringify(id)},"time":${seconds(createdAt)}`

/** The body up to its `data`. A brace ends it. */
export const opening = (envelope: Omit<Envelope, 'data'>): string =>
  `${head(envelope)},"webhook_delivery_attempt":${envelope.attempt}${openingEnd(envelope.sequence)}`

/** The text between the attempt number and `data`. */
export const openingEnd = (sequence: number): string => `,"grant_sequence":${sequence},"data":`

/** The whole body, as JSON text. */
export const compose = (envelope: Envelope): string => `${opening(envelope)}${envelope.data}}`

/** Same, for readers of the stream, where there are no attempts. */
export const composeUndelivered = (envelope: Omit<Envelope, 'attempt'>): string =>
  `${head(envelope)},"grant_sequence":${envelope.sequence},"data":${envelope.data}}`

/** Maximum body size that receivers accept, in bytes of UTF-8. */
export const maxBody = 1_048_576

/** The content of `data`: the application, the changed object, and further fields of some triggers. */
export type Data = { application_id: string; object: object | null } & Record<string, unknown>

/** Fields without which a receiver cannot tell what changed, or when. */
const needed = new Set([
  'application_id',
  'id',
  'object',
  'grant_id',
  'calendar_id',
  'master_event_id',
  'message_id',
  'root_message_id',
  'thread_id',
  'when',
  'code',
  'integration_id',
  'provider',
  'reason',
])

type Head = Pick<Envelope, 'type' | 'source' | 'id' | 'createdAt'>

const maxHead = 4096

/** The size of a body without its `data`, with room for the longest counters, which are not known yet. */
const headBytes = (head: Head): number =>
  Buffer.byteLength(
    compose({
      ...head,
      type: `${head.type}.truncated`,
      sequence: Number.MAX_SAFE_INTEGER,
      attempt: 2_147_483_647,
      data: '',
    }),
  )

interface Fitted {
  /** The trigger, with the suffix `.truncated` if fields were left out. */
  type: string
  /** The JSON text of `data`. */
  data: string
  /** Of `data`, in UTF-8. */
  bytes: number
}

/** `data` as text. If the body would be too large, its largest fields are left out. */
export function truncate(head: Head, data: Data): Fitted {
  const text = JSON.stringify(data)
  const bytes = Buffer.byteLength(text)
  // No head is longer than this, and most bodies are far below the limit, so they need no exact count.
  if (bytes <= maxBody - maxHead) return { type: head.type, data: text, bytes }
  const room = maxBody - headBytes(head)
  if (bytes <= room) return { type: head.type, data: text, bytes }
  const left = withoutLargest(data, bytes - room)
  const shorter = JSON.stringify(left)
  return { type: `${head.type}.truncated`, data: shorter, bytes: Buffer.byteLength(shorter) }
}

/**
 * The body of a notification for a receiver that accepts at most `limit` bytes: without the largest fields, and with the
 * suffix `.truncated`.
 */
export function truncateBody(body: Buffer, limit: number): { type: string; body: Buffer } {
  const envelope: { type: string; data: Data } = JSON.parse(body.toString('utf8'))
  const type = envelope.type.endsWith('.truncated') ? envelope.type : `${envelope.type}.truncated`
  const excess = body.length + type.length - envelope.type.length - limit
  const shorter = { ...envelope, type, data: withoutLargest(envelope.data, excess) }
  return { type, body: Buffer.from(JSON.stringify(shorter)) }
}

/** The object without its largest fields, until `excess` bytes are saved; then the same for the fields next to it. */
function withoutLargest(data: Data, excess: number): Data {
  const object: Record<string, unknown> = { ...data.object }
  const rest: Record<string, unknown> = { ...data }
  let over = excess
  for (const holder of [object, rest]) {
    for (const { name, size } of bySize(holder)) {
      if (over <= 0) break
      delete holder[name]
      over -= size
    }
  }
  return { ...rest, application_id: data.application_id, object: data.object && object }
}

/**
 * Fields that may be left out, largest first. A field costs its name, its value and a colon, not counting the comma.
 */
const bySize = (holder: Record<string, unknown>): { name: string; size: number }[] =>
  Object.entries(holder)
    .filter(([name, value]) => !needed.has(name) && value !== undefined)
    .map(([name, value]) => ({ name, size: Buffer.byteLength(JSON.stringify({ [name]: value })) - 2 }))
    .sort((a, b) => b.size - a.size)

const ofEvents: ReadonlySet<string> = new Set(['event.created', 'event.updated'])

export const shownObject = ({ trigger, object }: Pick<Notified, 'trigger' | 'object'>): object | null =>
  ofEvents.has(trigger) && isDescribed(object) ? withTextDescription(object) : object

const isDescribed = (object: object | null): object is Pick<Event, 'description'> => {
  const description = fieldOf(object, 'description')
  return description === null || typeof description === 'string'
}
