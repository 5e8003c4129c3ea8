/** Sending: what the answer says of a message that is sent, and messages that wait for their time. */
import { z } from 'zod'
import { choiceParam, GrantId, Id, Timestamp } from './fields.ts'
import { limits } from './limits.ts'
import { EmailName, Message } from './messages.ts'
import { SendRequest } from './outgoing.ts'
import { route } from './route.ts'

/** The founding fields are in every answer, empty where they say nothing; a message that waits has no id yet. */
export const SentMessage = Message.omit({ in_reply_to: true, raw_mime: true })
  .extend({
    id: z.string().optional().meta({
      description: 'Id of the message in the account; absent where it is sent later',
    }),
    subject: z.string().meta({ description: 'Subject as it was sent' }),
    body: z.string().meta({ description: 'Text as it was given, without signature and tracking' }),
    from: z.array(EmailName).meta({ description: 'Sender: what the request names, else the grant' }),
    to: z.array(EmailName).meta({ description: 'Recipients' }),
    cc: z.array(EmailName).meta({ description: 'Recipients of a copy' }),
    folders: Message.shape.folders.meta({
      description: 'Ids of the folders that the account filed it in; empty while that is not known',
    }),
    headers: Message.shape.headers.meta({
      description: 'Headers as they were sent, where `fields` asks for them and the message is not sent later',
    }),
    tracking_options: Message.shape.tracking_options.meta({
      description: 'What is tracked of it; absent where nothing is',
    }),
    reply_to_message_id: z.string().meta({
      description: 'Message that it answers, as the request names it; empty where it answers none',
    }),
    schedule_id: z
      .string()
      .meta({ description: 'Id to ask for it, or to stop it, by; empty where it was sent at once' }),
    send_at: Timestamp.optional().meta({
      description: 'When it is sent, in Unix seconds; absent where it was sent at once',
    }),
    use_draft: z.boolean().optional().meta({
      description: 'Whether it waits among the drafts of the account; absent where it was sent at once',
    }),
  })
  .meta({ id: 'SentMessage', description: 'A message that was sent, or is to be sent at its time' })
export type SentMessage = z.output<typeof SentMessage>

export const ScheduleStatus = {
  pending: 'schedule send awaiting send at time',
  success: 'schedule send succeeded',
  failed: 'schedule send failed',
  cancelled: 'schedule send cancelled',
} as const
export type ScheduleCode = keyof typeof ScheduleStatus

export const ScheduledMessage = z
  .object({
    schedule_id: Id.meta({ description: 'Id that the answer to the sending told' }),
    status: z
      .object({
        code: z.enum(Object.keys(ScheduleStatus) as [ScheduleCode, ...ScheduleCode[]]).meta({
          description: '`pending` until it is over; then `success`, `failed`, or `cancelled` where it was stopped',
        }),
        description: z.string().meta({ description: 'The same in words' }),
      })
      .meta({ description: 'How far it is' }),
    close_time: Timestamp.optional().meta({
      description: 'When it was sent, failed or was stopped, in Unix seconds; absent while it is pending',
    }),
  })
  .meta({ id: 'ScheduledMessage', description: 'What became of a message that is sent at a time' })
export type ScheduledMessage = z.output<typeof ScheduledMessage>

/** Which headers an answer tells. */
export const sentFields = {
  fields: choiceParam(['standard', 'include_headers', 'include_basic_headers']).meta({
    description:
      'Which headers the answer tells: none (`standard`, the default), all, or Message-ID, In-Reply-To and References (`include_basic_headers`). None of a message that is sent later.',
  }),
}
export type SentFields = 'standard' | 'include_headers' | 'include_basic_headers' | undefined

export const SendErrors = ['send_refused', 'send_failed', 'provider_unreachable', 'outcome_unknown'] as const

const at = '/v3/grants/:grant_id/messages'

/** The route of `messages` that sends one. */
export const sending = {
  send: route({
    method: 'POST',
    path: `${at}/send`,
    summary: 'Send a message, now or at a time',
    description:
      'Answered once the provider took the message, with a copy of it in the sent mail of the account. With `send_at` it is kept and sent later: 202. As `multipart/form-data`, up to 25 MB: the part `message` holds the JSON, every other part a file; a part that is not named `file`, `file0`, `file1` … or `attachment` is shown in the text under its name as content id. With `type=mime` the one part is `mime`, a whole message.',
    audience: 'grant',
    query: z.object({
      type: choiceParam(['mime', 'json']).meta({
        description:
          '`mime`: the request is `multipart/form-data` with a whole message (RFC 5322) in a part named `mime`, and no JSON. `json` when absent.',
      }),
      ...sentFields,
    }),
    body: SendRequest,
    parts: ['message'],
    mime: true,
    returns: SentMessage,
    beside: z.object({
      grant_id: GrantId.meta({ description: 'Id of the grant that it is sent from' }),
      schedule_id: Id.optional().meta({ description: 'The same as in `data`; absent where it was sent at once' }),
    }),
    later: 202,
    errors: ['insufficient_scopes', 'belongs_to_another_grant', ...SendErrors],
  }),
}

export const schedules = {
  list: route({
    method: 'GET',
    path: `${at}/schedules`,
    summary: 'List messages that are sent at a time, those of the last 72 hours included',
    description: `All that wait, and those whose time was in the last ${limits.scheduleKeptHours} hours, whatever became of them. Whole: there are no pages.`,
    audience: 'grant',
    own: true,
    returns: ScheduledMessage,
    list: 'whole',
  }),
  get: route({
    method: 'GET',
    path: `${at}/schedules/:schedule_id`,
    summary: 'Tell what became of a message that is sent at a time',
    description: `Known until ${limits.scheduleKeptHours} hours after its time. The notifications \`message.send_success\` and \`message.send_failed\` tell the same without asking.`,
    audience: 'grant',
    own: true,
    returns: ScheduledMessage,
    errors: ['not_found'],
  }),
  delete: route({
    method: 'DELETE',
    path: `${at}/schedules/:schedule_id`,
    summary: 'Stop a message that is sent at a time',
    description: `Until ${limits.scheduleStopSeconds} seconds before that time; later it is refused with 409. One that was stopped before is answered the same. A draft that it waited in (\`use_draft\`) stays.`,
    audience: 'grant',
    own: true,
    returns: z.object({
      message: z
        .literal('requested cancelation for workflow')
        .meta({ description: 'Always the same: it will not be sent' }),
    }),
    status: 202,
    errors: ['not_found', 'conflict'],
  }),
}
