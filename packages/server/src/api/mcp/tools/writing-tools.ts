/** Tools that write, send and schedule mail. The sender is always the account itself. */
import {
  Draft,
  DraftChange,
  DraftRequest,
  type EmailName,
  type Grant,
  type Message,
  ScheduledMessage,
  SendRequest,
  SentMessage,
} from '@waypost/contract'
import { z } from 'zod'
import { Moment, momentOf } from '../content/moment.ts'
import { defineTool, type ToolUse } from './define-tool.ts'
import {
  acts,
  adds,
  compact,
  counted,
  identifierOf,
  itemOf,
  itemsOf,
  reads,
  secondsOf,
  sets,
  Time,
  timezone,
} from './parts.ts'

const waitsToSend = 'Sending waits for the approval of a person unless the credential says otherwise.'
const { cc, bcc, subject, body, reply_to_message_id } = DraftRequest.shape
const is_plaintext = z
  .boolean()
  .default(true)
  .meta({ description: 'true (default): `body` is plain text; false: HTML' })
const content = { cc, bcc, subject, body, is_plaintext }

const DraftFacts = z.object({ id: Draft.shape.id, thread_id: Draft.shape.thread_id })
const SentFacts = z.object({
  id: SentMessage.shape.id,
  thread_id: SentMessage.shape.thread_id,
  schedule_id: z.string().optional().meta({ description: 'Id for cancel_scheduled_message, if it is scheduled' }),
  send_at: Moment.optional(),
})

const draftOf = ({ id, thread_id }: Draft) => ({ name: 'draft', row: { facts: { id, thread_id } } })

function sentOf({ id, thread_id, schedule_id, send_at }: SentMessage, zone = 'UTC') {
  const facts = {
    id,
    thread_id: thread_id || undefined,
    schedule_id: schedule_id || undefined,
    ...(send_at === undefined ? {} : { send_at: momentOf(send_at, zone) }),
  }
  return { name: 'message', row: { facts: compact(facts) } }
}

export const createDraft = defineTool({
  name: 'create_draft',
  title: 'Create a draft',
  description: 'Writes a draft into the account, where its user can see and edit it. Nothing is sent.',
  operations: ['mail.draft'],
  annotations: adds,
  grant: true,
  input: { to: DraftRequest.shape.to, ...content, reply_to_message_id },
  output: { draft: DraftFacts },
  run: async ({ call, grantId }, args) => {
    const answer = await call('drafts.create', { params: { grant_id: grantId }, body: compact(args) })
    return { summary: 'The draft is in the account.', row: draftOf(itemOf(answer)) }
  },
})

export const updateDraft = defineTool({
  name: 'update_draft',
  title: 'Change a draft',
  description: 'Changes a draft. Absent fields stay unchanged; lists are replaced.',
  operations: ['mail.draft'],
  annotations: sets,
  grant: true,
  input: {
    draft_id: identifierOf('draft'),
    to: DraftChange.shape.to,
    cc,
    bcc,
    subject,
    body,
    is_plaintext: z.boolean().optional().meta({ description: 'Whether `body` is plain text; default true' }),
  },
  output: { draft: DraftFacts },
  run: async ({ call, grantId }, { draft_id, is_plaintext, ...change }) => {
    const params = { grant_id: grantId, draft_id }
    const kind = change.body === undefined ? {} : { is_plaintext: is_plaintext ?? true }
    const answer = await call('drafts.update', { params, body: compact({ ...change, ...kind }) })
    return { summary: 'The draft is changed.', row: draftOf(itemOf(answer)) }
  },
})

export const sendDraft = defineTool({
  name: 'send_draft',
  title: 'Send a draft',
  description: `Sends a draft as it is now. ${waitsToSend}`,
  operations: ['mail.send'],
  annotations: acts,
  approval: ['send'],
  grant: true,
  input: { draft_id: identifierOf('draft') },
  output: { message: SentFacts },
  run: async ({ call, grantId }, { draft_id }) => {
    const answer = await call('drafts.send', { params: { grant_id: grantId, draft_id }, body: {} })
    return { summary: 'Sent.', row: sentOf(itemOf(answer)) }
  },
})

const sendAt = {
  send_at: Time.optional().meta({ description: 'When to send it: 1 minute to 30 days from now. Default: now' }),
  ...timezone,
}

export const sendMessage = defineTool({
  name: 'send_message',
  title: 'Send a message',
  description: `Sends a message from the account, now or at send_at. ${waitsToSend}`,
  operations: ['mail.send'],
  annotations: acts,
  approval: ['send'],
  grant: true,
  input: { to: SendRequest.shape.to, ...content, ...sendAt },
  output: { message: SentFacts },
  run: async (use, { send_at, timezone: zone, ...message }) => send(use, { ...message, ...timed(send_at) }, zone),
})

const timed = (send_at: z.output<typeof Time> | undefined): { send_at?: number } =>
  send_at === undefined ? {} : { send_at: secondsOf(send_at) }

async function send({ call, grantId }: ToolUse, message: Record<string, unknown>, zone = 'UTC') {
  const answer = await call('messages.send', { params: { grant_id: grantId }, body: compact(message) })
  const row = sentOf(itemOf(answer), zone)
  return { summary: message.send_at === undefined ? 'Sent.' : 'Scheduled.', row }
}

export const reply = defineTool({
  name: 'reply',
  title: 'Reply to a message',
  description: `Answers a message in its thread: as a draft, or with send: true at once. all: true answers everybody. ${waitsToSend}`,
  operations: ['mail.read', 'mail.draft'],
  annotations: acts,
  approval: ['send'],
  grant: true,
  input: {
    message_id: identifierOf('message to answer'),
    body: z.string().min(1).meta({ description: 'The answer, without the quoted message' }),
    is_plaintext,
    all: z.boolean().default(false).meta({ description: 'true: to the sender and all recipients; default false' }),
    send: z.boolean().default(false).meta({ description: 'true: send it; default false: only a draft' }),
  },
  output: { draft: DraftFacts.optional(), message: SentFacts.optional() },
  run: async (use, { message_id, all, send: isSent, ...text }) => {
    const { call, grantId } = use
    const params = { grant_id: grantId, message_id }
    const [answered, grant] = await Promise.all([
      call('messages.get', { params, query: { select: 'id,from,to,cc,reply_to' } }),
      call('grants.get', { params: { grant_id: grantId }, query: { select: 'email' } }),
    ])
    const people = recipientsOf(itemOf<Message>(answered), itemOf<Pick<Grant, 'email'>>(grant).email, all)
    const message = { ...people, ...text, reply_to_message_id: message_id }
    if (isSent) return send(use, message)
    const draft = await call('drafts.create', { params: { grant_id: grantId }, body: compact(message) })
    return { summary: 'The answer is a draft in the account. Nothing is sent.', row: draftOf(itemOf(draft)) }
  },
})

/** Who gets an answer. An answer to a message of the account itself goes to its recipients. */
function recipientsOf(message: Message, own: string, all: boolean): { to: EmailName[]; cc?: EmailName[] } {
  const isOwn = ({ email }: EmailName): boolean => email.toLowerCase() === own.toLowerCase()
  const from = message.from ?? []
  const replyTo = message.reply_to?.length ? message.reply_to : from
  const to = from.some(isOwn) ? (message.to ?? []) : replyTo
  if (!all) return { to: to.map(plainName) }
  const seen = new Set([own.toLowerCase(), ...to.map(({ email }) => email.toLowerCase())])
  const cc = [...(message.to ?? []), ...(message.cc ?? [])].filter(({ email }) => {
    const isNew = !seen.has(email.toLowerCase())
    seen.add(email.toLowerCase())
    return isNew
  })
  return cc.length === 0 ? { to: to.map(plainName) } : { to: to.map(plainName), cc: cc.map(plainName) }
}

/** A name in a header may contain line breaks that an outgoing message must not have. */
const plainName = ({ name, email }: EmailName): EmailName =>
  name === undefined ? { email } : { name: name.replace(/\p{Cc}+/gu, ' '), email }

export const listScheduledMessages = defineTool({
  name: 'list_scheduled_messages',
  title: 'List scheduled messages',
  description: 'Lists messages that will be sent later, and those of the last days with their outcome.',
  operations: ['mail.read'],
  annotations: reads,
  grant: true,
  input: {},
  output: {
    scheduled_messages: z.array(
      z.object({
        schedule_id: ScheduledMessage.shape.schedule_id,
        status: ScheduledMessage.shape.status.shape.code,
        closed: Moment.optional(),
      }),
    ),
  },
  run: async ({ call, grantId }) => {
    const page = await call('schedules.list', { params: { grant_id: grantId } })
    const found = itemsOf<ScheduledMessage>(page).slice(0, 25)
    const rows = found.map(({ schedule_id, status, close_time }) => ({
      facts: {
        schedule_id,
        status: status.code,
        ...(close_time === undefined ? {} : { closed: momentOf(close_time, 'UTC') }),
      },
    }))
    return { summary: counted(rows.length, 'scheduled message'), rows: { name: 'scheduled_messages', rows } }
  },
})

export const cancelScheduledMessage = defineTool({
  name: 'cancel_scheduled_message',
  title: 'Cancel a scheduled message',
  description: 'Stops a message that was scheduled with send_at, so that it is not sent.',
  operations: ['mail.send'],
  annotations: sets,
  grant: true,
  input: { schedule_id: identifierOf('scheduled message') },
  output: { cancelled: z.boolean().meta({ description: 'Always true' }) },
  run: async ({ call, grantId }, { schedule_id }) => {
    await call('schedules.delete', { params: { grant_id: grantId, schedule_id } })
    return { summary: 'It will not be sent.', facts: { cancelled: true } }
  },
})
