/**
 * The body of a notification. It is put together from texts: what was stored with the change goes out as it stands, to
 * every destination and at every attempt. Pure.
 */
import { seconds } from '../../lib/clock.ts'

export interface Envelope {
  type: string
  source: string
  id: string
  /** Milliseconds. */
  createdAt: number
  /** The number of the notification among those of its grant: a receiver sees a gap. */
  sequence: number
  attempt: number
  /** The JSON text of `data`. */
  data: string
}

const head = ({ type, source, id, createdAt }: Head): string =>
  `{"specversion":"1.0","type":${JSON.stringify(type)},"source":${JSON.stringify(source)},"id":${JSON.stringify(id)},"time":${seconds(createdAt)}`

/** The body up to its `data`, which a brace ends. */
export const opening = (envelope: Omit<Envelope, 'data'>): string =>
  `${head(envelope)},"webhook_delivery_attempt":${envelope.attempt}${openingEnd(envelope.sequence)}`

/** What stands between the number of the attempt and the `data`. */
export const openingEnd = (sequence: number): string => `,"grant_sequence":${sequence},"data":`

/** The whole body, as JSON text. */
export const compose = (envelope: Envelope): string => `${opening(envelope)}${envelope.data}}`

/** The same for those who read it from the stream, where nothing is attempted. */
export const composeUndelivered = (envelope: Omit<Envelope, 'attempt'>): string =>
  `${head(envelope)},"grant_sequence":${envelope.sequence},"data":${envelope.data}}`

/** Bytes of UTF-8; receivers take bodies up to here. */
export const maxBody = 1_048_576

/** What stands in `data`: the application, the object that changed, and what some triggers tell beside it. */
export type Data = { application_id: string; object: object | null } & Record<string, unknown>

/** Fields without which a receiver does not know what changed, or when it is. */
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

/** The size of a body without its `data`. The counters are not known yet: room is left for the longest. */
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

export interface Fitted {
  /** The trigger, with `.truncated` behind it where something was left out. */
  type: string
  /** The JSON text of `data`. */
  data: string
  /** Of `data`, in UTF-8. */
  bytes: number
}

/** `data` as text. Where the body would be too large, its largest fields are left out until it is not. */
export function truncate(head: Head, data: Data): Fitted {
  const text = JSON.stringify(data)
  const bytes = Buffer.byteLength(text)
  // No head is longer than this: most bodies are far from the limit, and need no exact count.
  if (bytes <= maxBody - maxHead) return { type: head.type, data: text, bytes }
  const room = maxBody - headBytes(head)
  if (bytes <= room) return { type: head.type, data: text, bytes }
  const left = withoutLargest(data, bytes - room)
  const shorter = JSON.stringify(left)
  return { type: `${head.type}.truncated`, data: shorter, bytes: Buffer.byteLength(shorter) }
}

/** The object without as many of its largest fields as make up `excess` bytes; then the same of what stands beside it. */
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

/** Fields that may go, the largest first. A field costs its name, its value and a colon; the comma is not counted. */
const bySize = (holder: Record<string, unknown>): { name: string; size: number }[] =>
  Object.entries(holder)
    .filter(([name, value]) => !needed.has(name) && value !== undefined)
    .map(([name, value]) => ({ name, size: Buffer.byteLength(JSON.stringify({ [name]: value })) - 2 }))
    .sort((a, b) => b.size - a.size)
