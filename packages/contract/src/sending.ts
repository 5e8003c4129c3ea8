/** Sending: what a message to be sent is, what the answer says of it, and messages that wait for their time. */
import { z } from 'zod'
import { choiceParam, Id, Metadata, Timestamp } from './fields.ts'
import { limits } from './limits.ts'
import { EmailName, Message } from './messages.ts'
import { route } from './route.ts'

/** A field that may be left out, or be null, which is the same. */
export const given = <Out, In>(schema: z.ZodType<Out, In>) =>
  schema
    .nullish()
    .transform((value): Out | undefined => value ?? undefined)
    .optional()

/** Text for a header: one line. A tab is harmless there, all other control characters are not. */
export const headerText = (most: number) =>
  z
    .string()
    .max(most)
    .refine((text) => !/[^\P{Cc}\t]/u.test(text), { error: 'must not hold line breaks or other control characters' })

/** RFC 5321 §4.1.2 without quoted names and address literals; RFC 6531 allows letters of other scripts. */
const address = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}\p{N}])?$/u
export const isAddress = (text: string): boolean => address.test(text) && !/\.\.|^\.|\.@|@\./.test(text)

export const Recipient = z
  .object({
    name: given(headerText(limits.subjectLength)),
    email: z.string().max(320).refine(isAddress, { error: 'must be an e-mail address' }),
  })
  .meta({ id: 'Recipient' })
export type Recipient = z.output<typeof Recipient>

export const recipients = () =>
  z.array(Recipient).max(limits.recipients, { error: `must hold at most ${limits.recipients} addresses` })

/** Clients break base64 into lines, leave the padding out, or write the alphabet of URLs. */
function contentProblem(text: string): string | undefined {
  const bare = text.replace(/[\r\n]+/g, '').replace(/={1,2}$/, '')
  if (bare === '') return 'must not be empty'
  return bare.length % 4 === 1 || /[^A-Za-z0-9+/_-]/.test(bare) ? 'must be the bytes of the file in base64' : undefined
}

/** What else clients write beside these fields, such as `size` and `is_inline`, is passed over. */
export const OutgoingAttachment = z
  .object({
    filename: given(headerText(255).min(1)),
    content: given(
      z.string().superRefine((text, context) => {
        const problem = contentProblem(text)
        if (problem) context.addIssue({ code: 'custom', message: problem })
      }),
    ).meta({ description: 'The bytes in base64' }),
    content_type: given(headerText(255)).meta({ description: 'By the name of the file when absent' }),
    content_id: given(headerText(255)).meta({
      description: 'The file is shown in the text, where `<img src="cid:…">` names it',
    }),
    content_disposition: given(headerText(255)).meta({
      description: '`attachment`: not shown in the text, whatever the content_id',
    }),
    id: given(headerText(255)).meta({ description: '`microsoft`: a large upload in place of all other fields' }),
  })
  .superRefine(({ id, filename, content }, context) => {
    if (id !== undefined) return
    for (const [name, value] of Object.entries({ filename, content })) {
      if (value === undefined) context.addIssue({ code: 'custom', path: [name], message: 'is required' })
    }
  })
  .meta({ id: 'OutgoingAttachment' })
export type OutgoingAttachment = z.output<typeof OutgoingAttachment>

/** Headers that the service writes itself, or that only servers on the way may write. */
const reserved =
  /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*|dkim-signature|return-path|received)$/i

export const CustomHeader = z
  .object({
    // RFC 5322 §3.6.8.
    name: z
      .string()
      .max(100)
      .regex(/^[!-9;-~]+$/, { error: 'must be the name of a header: ASCII, without spaces and colons' })
      .refine((name) => !reserved.test(name), { error: 'is a header that cannot be set here' }),
    value: headerText(limits.customHeaderLength),
  })
  .meta({ id: 'CustomHeader' })
export type CustomHeader = z.output<typeof CustomHeader>

export const TrackingRequest = z
  .object({
    opens: given(z.boolean()),
    links: given(z.boolean()),
    thread_replies: given(z.boolean()),
    label: given(headerText(limits.trackingLabelLength)).meta({ description: 'Told in every notification' }),
    domain_name: given(z.string().max(300)).meta({
      description: 'The host of links and pixel; must be one of this service',
    }),
  })
  .superRefine(({ domain_name, opens, links }, context) => {
    if (domain_name === undefined || opens || links) return
    context.addIssue({ code: 'custom', path: ['domain_name'], message: 'needs opens or links beside it' })
  })
  .meta({ id: 'TrackingRequest' })
export type TrackingRequest = z.output<typeof TrackingRequest>

export const TemplateUse = z
  .object({
    id: Id,
    strict: z.boolean().default(true).meta({ description: 'A variable that is missing is an error' }),
    variables: z.record(z.string(), z.unknown()).default({}),
  })
  .meta({ id: 'TemplateUse' })
export type TemplateUse = z.output<typeof TemplateUse>

const optionalId = (most: number) =>
  given(headerText(most).refine((id) => id !== '.' && id !== '..', { error: 'must not be . or ..' }))
    .transform((id) => (id === '' ? undefined : id))
    .optional()

/** What a message to be sent and a draft have in common. */
export const outgoingFields = {
  cc: given(recipients()),
  bcc: given(recipients()),
  reply_to: given(recipients()),
  from: given(z.array(Recipient).length(1, { error: 'must hold exactly one sender' })).meta({
    description:
      'The address and name of the grant when absent; another address must be an alias that the provider allows',
  }),
  subject: given(headerText(limits.subjectLength)),
  body: given(z.string()).meta({ description: 'HTML, unless is_plaintext' }),
  is_plaintext: given(z.boolean()).meta({ description: 'true: plain text only, no HTML' }),
  reply_to_message_id: optionalId(1024).meta({
    description: 'The message that this one answers: its id, or its Message-ID with `imap`, `icloud` and `yahoo`',
  }),
  attachments: given(z.array(OutgoingAttachment).max(limits.multipartParts)).meta({
    description: 'Up to 3 MB; larger ones as parts of multipart/form-data',
  }),
  custom_headers: given(z.array(CustomHeader).max(limits.customHeaders)),
  tracking_options: given(TrackingRequest),
  metadata: given(Metadata),
  template: given(TemplateUse).meta({
    description: '`subject` and `body` of the request go before those of the template',
  }),
  signature_id: optionalId(64).meta({ description: 'A signature of the grant, put at the end of the HTML' }),
}

interface Threading {
  reply_to_message_id?: string | undefined
  custom_headers?: CustomHeader[] | undefined
}

/** A reply has headers of its own that say what it answers. */
export function checkThreading(request: Threading, context: z.RefinementCtx): void {
  if (request.reply_to_message_id === undefined) return
  for (const [index, { name }] of (request.custom_headers ?? []).entries()) {
    if (!/^(?:in-reply-to|references)$/i.test(name)) continue
    const message = `cannot be set beside reply_to_message_id: ${name} follows from it`
    context.addIssue({ code: 'custom', path: ['custom_headers', index, 'name'], message })
  }
}

export const SendRequest = z
  .object({
    to: recipients().min(1, { error: 'must name at least one recipient' }),
    ...outgoingFields,
    send_at: given(Timestamp).meta({
      description: `Unix time in seconds: when to send it, ${limits.scheduleSecondsMin} seconds to ${limits.scheduleDaysMax} days from now`,
    }),
    use_draft: given(z.boolean()).meta({
      description: '`google` and `microsoft`, with send_at: the message waits among the drafts of the account',
    }),
  })
  .superRefine(checkThreading)
  .refine(({ use_draft, send_at }) => !use_draft || send_at !== undefined, {
    path: ['use_draft'],
    error: 'needs send_at beside it',
  })
  .meta({ id: 'SendRequest' })
export type SendRequest = z.output<typeof SendRequest>

/** The founding fields are in every answer, empty where they say nothing; a message that waits has no id yet. */
export const SentMessage = Message.omit({ in_reply_to: true, raw_mime: true })
  .extend({
    id: z.string().optional().meta({ description: 'Absent where the message is sent later' }),
    subject: z.string(),
    body: z.string().meta({ description: 'As it was given' }),
    from: z.array(EmailName),
    to: z.array(EmailName),
    cc: z.array(EmailName),
    reply_to_message_id: z.string().meta({ description: 'Empty where the message answers none' }),
    schedule_id: z.string().meta({ description: 'Empty where the message was sent at once' }),
    send_at: Timestamp.optional(),
    use_draft: z.boolean().optional(),
  })
  .meta({ id: 'SentMessage' })
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
    schedule_id: Id,
    status: z.object({
      code: z.enum(Object.keys(ScheduleStatus) as [ScheduleCode, ...ScheduleCode[]]),
      description: z.string(),
    }),
    close_time: Timestamp.optional().meta({ description: 'When it was sent, failed or was stopped' }),
  })
  .meta({ id: 'ScheduledMessage' })
export type ScheduledMessage = z.output<typeof ScheduledMessage>

/** Which headers an answer tells. */
export const sentFields = {
  fields: choiceParam(['standard', 'include_headers', 'include_basic_headers']).meta({
    description: 'Which headers the answer tells; none of a message that is sent later',
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
      'Answered once the provider took the message. With `send_at` it is kept and sent later: 202. As `multipart/form-data`, up to 25 MB: the part `message` holds the JSON, every other part a file; a part that is not named `file`, `file0`, `file1` … or `attachment` is shown in the text under its name as content id. With `type=mime` the one part is `mime`, a whole message.',
    audience: 'grant',
    query: z.object({
      type: choiceParam(['mime', 'json']).meta({
        description: '`mime`: the body is a whole message, in a part named `mime`',
      }),
      ...sentFields,
    }),
    body: SendRequest,
    parts: ['message'],
    mime: true,
    returns: SentMessage,
    beside: z.object({ grant_id: Id, schedule_id: Id.optional() }),
    later: 202,
    errors: ['insufficient_scopes', 'belongs_to_another_grant', ...SendErrors],
  }),
}

export const schedules = {
  list: route({
    method: 'GET',
    path: `${at}/schedules`,
    summary: 'List messages that are sent at a time, those of the last 72 hours included',
    audience: 'grant',
    own: true,
    returns: ScheduledMessage,
    list: 'whole',
  }),
  get: route({
    method: 'GET',
    path: `${at}/schedules/:schedule_id`,
    summary: 'Tell what became of a message that is sent at a time',
    audience: 'grant',
    own: true,
    returns: ScheduledMessage,
    errors: ['not_found'],
  }),
  delete: route({
    method: 'DELETE',
    path: `${at}/schedules/:schedule_id`,
    summary: 'Stop a message that is sent at a time',
    description: `Until ${limits.scheduleStopSeconds} seconds before that time.`,
    audience: 'grant',
    own: true,
    returns: z.object({ message: z.literal('requested cancelation for workflow') }),
    status: 202,
    errors: ['not_found', 'conflict'],
  }),
}
