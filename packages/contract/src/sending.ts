/** Sending: the response for a sent message, and scheduled messages. */
import { z } from 'zod'
import { choiceParam, GrantId, Id, Timestamp } from './fields.ts'
import { limits } from './limits.ts'
import { EmailName, Message } from './messages.ts'
import { SendRequest } from './outgoing.ts'
import { route } from './route.ts'

/** The core fields are in every response, possibly empty; a scheduled message has no id yet. */
export const SentMessage = Message.omit({ in_reply_to: true, raw_mime: true })
  .extend({
    id: z.string().optional().meta({
      description: 'Id of the message in the account; absent if it is scheduled',
    }),
    subject: z.string().meta({ description: 'Subject as it was sent' }),
    body: z.string().meta({ description: 'Body as given in the request, without signature and tracking' }),
    from: z.array(EmailName).meta({ description: 'Sender: from the request, otherwise the grant' }),
    to: z.array(EmailName).meta({ description: 'Recipients' }),
    cc: z.array(EmailName).meta({ description: 'Recipients of a copy' }),
    folders: Message.shape.folders.meta({
      description: "Ids of the account's folders that contain it; empty until known",
    }),
    headers: Message.shape.headers.meta({
      description: 'Headers as sent, if `fields` requests them and the message is not scheduled',
    }),
    tracking_options: Message.shape.tracking_options.meta({
      description: 'Tracking of the message; absent if none',
    }),
    reply_to_message_id: z.string().meta({
      description: 'Id of the message that it replies to, as in the request; empty if it is no reply',
    }),
    schedule_id: z
      .string()
      .meta({ description: 'Id for reading or stopping the schedule; empty if it was sent immediately' }),
    send_at: Timestamp.optional().meta({
      description: 'Send time in Unix seconds; absent if it was sent immediately',
    }),
    use_draft: z.boolean().optional().meta({
      description: 'Whether it is stored as a draft in the account; absent if it was sent immediately',
    }),
  })
  .meta({ id: 'SentMessage', description: 'A sent or scheduled message' })
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
    schedule_id: Id.meta({ description: 'Id from the response to the send request' }),
    status: z
      .object({
        code: z.enum(Object.keys(ScheduleStatus) as [ScheduleCode, ...ScheduleCode[]]).meta({
          description: '`pending` at first; then `success`, `failed`, or `cancelled` if it was stopped',
        }),
        description: z.string().meta({ description: 'Description of the state' }),
      })
      .meta({ description: 'State of the schedule' }),
    close_time: Timestamp.optional().meta({
      description: 'Time when it was sent, failed or was stopped, in Unix seconds; absent while pending',
    }),
  })
  .meta({ id: 'ScheduledMessage', description: 'State of a scheduled message' })
export type ScheduledMessage = z.output<typeof ScheduledMessage>

/** Headers to return. */
export const sentFields = {
  fields: choiceParam(['standard', 'include_headers', 'include_basic_headers']).meta({
    description:
      'Headers in the response: none (`standard`, default), all, or Message-ID, In-Reply-To and References (`include_basic_headers`). Scheduled messages have none.',
  }),
}
export type SentFields = 'standard' | 'include_headers' | 'include_basic_headers' | undefined

export const SendErrors = ['send_refused', 'send_failed', 'provider_unreachable', 'outcome_unknown'] as const

const at = '/v3/grants/:grant_id/messages'

/** The `messages` route that sends. */
export const sending = {
  send: route({
    right: 'mail.send',
    method: 'POST',
    path: `${at}/send`,
    summary: 'Send a message now or on schedule',
    description:
      'The response is returned once the provider accepted the message; the account has a copy in its sent mail. With `send_at`, the message is stored and sent later: 202. As `multipart/form-data`, up to 25 MB: the part `message` contains the JSON, every other part is a file; a part not named `file`, `file0`, `file1` … or `attachment` is shown in the text with its name as content id. With `type=mime`, the only part is `mime`, a whole message.',
    audience: 'grant',
    query: z.object({
      type: choiceParam(['mime', 'json']).meta({
        description:
          '`mime`: the request is `multipart/form-data` with a whole message (RFC 5322) in a part named `mime`, without JSON. Default: `json`.',
      }),
      ...sentFields,
    }),
    body: SendRequest,
    parts: ['message'],
    mime: true,
    returns: SentMessage,
    beside: z.object({
      grant_id: GrantId.meta({ description: 'Id of the sending grant' }),
      schedule_id: Id.optional().meta({ description: 'Same as in `data`; absent if it was sent immediately' }),
    }),
    later: 202,
    errors: ['insufficient_scopes', 'belongs_to_another_grant', ...SendErrors],
  }),
}

export const schedules = {
  list: route({
    right: 'mail.read',
    method: 'GET',
    path: `${at}/schedules`,
    summary: 'List scheduled messages',
    description: `Returns all pending messages, and those of the last ${limits.scheduleKeptHours} hours in any state, without pages.`,
    audience: 'grant',
    own: true,
    returns: ScheduledMessage,
    list: 'whole',
  }),
  get: route({
    right: 'mail.read',
    method: 'GET',
    path: `${at}/schedules/:schedule_id`,
    summary: 'Get the state of a scheduled message',
    description: `Available until ${limits.scheduleKeptHours} hours after its time. The notifications \`message.send_success\` and \`message.send_failed\` report the result too.`,
    audience: 'grant',
    own: true,
    returns: ScheduledMessage,
    errors: ['not_found'],
  }),
  delete: route({
    right: 'mail.send',
    method: 'DELETE',
    path: `${at}/schedules/:schedule_id`,
    summary: 'Stop a scheduled message',
    description: `Possible until ${limits.scheduleStopSeconds} seconds before its time; later it fails with 409. Stopping it again returns the same response. Its draft (\`use_draft\`) stays.`,
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
