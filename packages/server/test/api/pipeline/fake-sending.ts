/** Sending that records requests without sending anything, and returns realistic responses. */
import type { ScheduledMessage, SentMessage } from '@waypost/contract'
import type { SendFile } from '../../../src/sending/compose/compose.ts'
import type {
  DraftChangeOrder,
  DraftOrder,
  DraftSendOrder,
  Material,
  Sending,
  SendOrder,
} from '../../../src/sending/sending.ts'

export interface FakeSending extends Sending {
  sends: SendOrder[]
  drafted: DraftOrder[]
  changed: DraftChangeOrder[]
  sentDrafts: DraftSendOrder[]
  schedules: Map<string, ScheduledMessage & { grantId: string }>
  /** The result of stopping a schedule. */
  stops: 'stopped' | 'too late'
  /** Runs before each send. A test can make it wait or fail. */
  before(): void | Promise<void>
  /** Clears the records. */
  reset(): void
}

type Request = Material<SendOrder['content'] extends infer L ? (L extends Material<infer R> ? R : never) : never>

/** The request of a send; fails for a raw message. */
export function contentOf(order: SendOrder | undefined): Request {
  if (!order || !('request' in order.content)) throw new Error('no message was sent')
  return order.content
}
/** The provider of these drafts never requests their outline. */
const outline = async (): Promise<never> => {
  throw new Error('nothing was composed')
}

/** A file with its content as text. */
export const fileText = ({ content, ...file }: SendFile) => ({ ...file, content: Buffer.from(content).toString() })

const answerOf = (order: SendOrder, scheduleId: string): SentMessage => {
  const { request, files } = 'request' in order.content ? order.content : { request: undefined, files: [] }
  const grant_id = order.grant.grant.id
  return {
    ...(scheduleId === '' ? { id: `m${Math.random()}` } : { send_at: request?.send_at, use_draft: false }),
    object: 'message',
    grant_id,
    subject: request?.subject ?? '',
    body: request?.body ?? '',
    from: request?.from ?? [{ email: order.grant.grant.email ?? '' }],
    to: request?.to ?? [],
    cc: request?.cc ?? [],
    reply_to_message_id: request?.reply_to_message_id ?? '',
    schedule_id: scheduleId,
    attachments: files.map(({ filename, contentType, content }, index) => ({
      id: String(index),
      grant_id,
      filename,
      content_type: contentType,
      size: content.byteLength,
    })),
  }
}

export function createFakeSending(): FakeSending {
  let count = 0
  const fake: FakeSending = {
    sends: [],
    drafted: [],
    changed: [],
    sentDrafts: [],
    schedules: new Map(),
    stops: 'stopped',
    before: () => undefined,
    reset() {
      for (const list of [fake.sends, fake.drafted, fake.changed, fake.sentDrafts]) list.length = 0
      fake.schedules.clear()
      fake.stops = 'stopped'
      fake.before = () => undefined
      count = 0
    },
    async sendMessage(order) {
      fake.sends.push(order)
      await fake.before()
      const later = 'request' in order.content && order.content.request.send_at !== undefined
      if (!later) return answerOf(order, '')
      const schedule_id = `schedule-${++count}`
      const status = { code: 'pending', description: 'schedule send awaiting send at time' } as const
      fake.schedules.set(schedule_id, { schedule_id, status, grantId: order.grant.grant.id })
      return order.write(async () => answerOf(order, schedule_id))
    },
    async composeDraft(order) {
      fake.drafted.push(order)
      return { messageId: `draft-${++count}`, source: Buffer.from(order.request.subject ?? ''), outline }
    },
    async changeDraft(order) {
      fake.changed.push(order)
      return { messageId: order.draftId, source: Buffer.from(order.change.subject ?? 'unchanged'), outline }
    },
    examineDraft: async () => {
      throw new Error('the fake sends for unrestricted keys')
    },
    async sendDraft(order) {
      fake.sentDrafts.push(order)
      await fake.before()
      return answerOf({ ...order, content: { mime: Buffer.of() }, fields: undefined }, '')
    },
    listSchedules: async (at) =>
      [...fake.schedules.values()]
        .filter(({ grantId }) => grantId === at.grantId)
        .map(({ grantId: _, ...rest }) => rest),
    getSchedule: async (at, id) => (await fake.listSchedules(at)).find(({ schedule_id }) => schedule_id === id),
    cancelSchedule: async (_tx, at, id) => ((await fake.getSchedule(at, id)) ? fake.stops : 'not found'),
  }
  return fake
}
