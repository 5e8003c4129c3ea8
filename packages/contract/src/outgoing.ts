/** Outgoing messages: recipients, attachments, headers, tracking and template. Drafts share most of it. */
import { z } from 'zod'
import { Id, Metadata, Timestamp } from './fields.ts'
import { limits } from './limits.ts'

/** An optional field for which null means absent. */
export const given = <Out, In>(schema: z.ZodType<Out, In>) =>
  schema
    .nullish()
    .transform((value): Out | undefined => value ?? undefined)
    .optional()

/** Header text on one line. A tab is harmless; all other control characters are refused. */
export const headerText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !/[^\P{Cc}\t]/u.test(text), { error: 'must not contain line breaks or other control characters' })

/** RFC 5321 §4.1.2 without quoted names and address literals; RFC 6531 allows letters of other scripts. */
const address = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}\p{N}])?$/u
export const isAddress = (text: string): boolean => address.test(text) && !/\.\.|^\.|\.@|@\./.test(text)

export const Recipient = z
  .object({
    name: given(headerText(limits.subjectLength)).meta({ description: 'Display name; default: only the address' }),
    email: z.string().max(320).refine(isAddress, { error: 'must be an email address' }).meta({
      description: 'Email address. Non-ASCII letters before the @ require a mail server with SMTPUTF8.',
    }),
  })
  .meta({ id: 'Recipient', description: 'A recipient of a message' })
export type Recipient = z.output<typeof Recipient>

export const recipients = () =>
  z.array(Recipient).max(limits.recipients, { error: `must have at most ${limits.recipients} addresses` })

/** Clients split base64 into lines, omit the padding, or use base64url. */
function contentProblem(text: string): string | undefined {
  if (isUsualBase64(text)) return undefined
  const bare = text.replace(/[\r\n]+/g, '').replace(/={1,2}$/, '')
  if (bare === '') return 'must not be empty'
  return bare.length % 4 === 1 || /[^A-Za-z0-9+/_-]/.test(bare)
    ? 'must be the content of the file in base64'
    : undefined
}

/** Number of characters decoded at once: a multiple of four. */
const decodedAtOnce = 65_536

/** Whether a text is plain base64. Decoding it is several times as fast as checking each character. */
function isUsualBase64(text: string): boolean {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const length = text.length - padding
  if (length === 0 || length % 4 === 1) return false
  const bytes = new Uint8Array((decodedAtOnce / 4) * 3)
  try {
    for (let from = 0; from < length; from += decodedAtOnce) {
      const { written } = bytes.setFromBase64(text.slice(from, from + decodedAtOnce))
      // The decoder skips white space and text after the end, so a shorter result means that there was some.
      if (written !== Math.floor((Math.min(length - from, decodedAtOnce) * 3) / 4)) return false
    }
    return true
  } catch {
    return false
  }
}

/** Other fields that clients send, such as `size` and `is_inline`, are ignored. */
export const OutgoingAttachment = z
  .object({
    filename: given(headerText(255).min(1)).meta({
      description: 'File name shown to recipients; required, up to 255 characters',
    }),
    content: given(
      z.string().superRefine((text, context) => {
        const problem = contentProblem(text)
        if (problem) context.addIssue({ code: 'custom', message: problem })
      }),
    ).meta({
      description: 'Content of the file in base64; required. Line breaks and base64url are accepted.',
    }),
    content_type: given(headerText(255)).meta({
      description: 'Media type, such as `application/pdf`; default: derived from the file name',
    }),
    content_id: given(headerText(255)).meta({
      description:
        'Content id with which the HTML shows the file as `<img src="cid:…">`: ASCII without spaces. The file is then inline unless `content_disposition` is set.',
    }),
    content_disposition: given(headerText(255)).meta({
      description: '`inline`, or `attachment`: not shown in the text, regardless of `content_id`',
    }),
    id: given(headerText(255)).meta({
      description:
        'Id of a complete upload (`POST /v3/grants/{grant_id}/attachment-uploads`), in place of `content`. Its name and type are those of the upload unless they are given here.',
    }),
  })
  .superRefine(({ id, filename, content }, context) => {
    if (id !== undefined) return
    for (const [name, value] of Object.entries({ filename, content })) {
      if (value === undefined) context.addIssue({ code: 'custom', path: [name], message: 'is required' })
    }
  })
  .meta({
    id: 'OutgoingAttachment',
    description: 'An attachment contained in the JSON, or a file that was uploaded before',
  })
export type OutgoingAttachment = z.output<typeof OutgoingAttachment>

/** Headers that the service writes itself, or that only mail servers may write. */
const reserved =
  /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*|dkim-signature|return-path|received)$/i

export const CustomHeader = z
  .object({
    // RFC 5322 §3.6.8.
    name: z
      .string()
      .max(100)
      .regex(/^[!-9;-~]+$/, { error: 'must be a header name: ASCII, without spaces and colons' })
      .refine((name) => !reserved.test(name), { error: 'is a header that cannot be set here' })
      .meta({
        description:
          'Name of the header, such as `X-Case`. Headers written by the service or by mail servers are refused: From, To, Cc, Bcc, Reply-To, Subject, Date, Message-ID, Content-* and similar ones.',
      }),
    value: headerText(limits.customHeaderLength).meta({
      description: `Value on one line, up to ${limits.customHeaderLength} characters`,
    }),
  })
  .meta({ id: 'CustomHeader', description: 'A custom header. `icloud` refuses `List-Unsubscribe` headers.' })
export type CustomHeader = z.output<typeof CustomHeader>

export const TrackingRequest = z
  .object({
    opens: given(z.boolean()).meta({
      description: 'true: adds an invisible image to the HTML; `message.opened` reports when it is loaded',
    }),
    links: given(z.boolean()).meta({
      description:
        'true: links in the HTML (https, http, mailto and tel, at most 100) go through this service; `message.link_clicked` reports clicks',
    }),
    thread_replies: given(z.boolean()).meta({
      description: 'true: `thread.replied` reports replies. The account must be watched.',
    }),
    label: given(headerText(limits.trackingLabelLength)).meta({
      description: `Your own text, included in every tracking notification of this message: up to ${limits.trackingLabelLength} characters`,
    }),
    domain_name: given(z.string().max(300)).meta({
      description: 'Host of tracked links and the image, with `opens` or `links`: must be the host of this service',
    }),
  })
  .superRefine(({ domain_name, opens, links }, context) => {
    if (domain_name === undefined || opens || links) return
    context.addIssue({ code: 'custom', path: ['domain_name'], message: 'needs opens or links' })
  })
  .meta({ id: 'TrackingRequest', description: 'Tracking of a message. Default: none.' })
export type TrackingRequest = z.output<typeof TrackingRequest>

export const TemplateUse = z
  .object({
    id: Id.meta({ description: 'Id of a template of the grant, or of the application' }),
    strict: z.boolean().default(true).meta({
      description: 'Whether a variable missing in `variables` is an error; otherwise it is empty',
    }),
    variables: z.record(z.string(), z.unknown()).default({}).meta({ description: 'Values by variable name' }),
  })
  .meta({ id: 'TemplateUse', description: 'A template for the subject and body of a message' })
export type TemplateUse = z.output<typeof TemplateUse>

const optionalId = (max: number) =>
  given(headerText(max).refine((id) => id !== '.' && id !== '..', { error: 'must not be . or ..' }))
    .transform((id) => (id === '' ? undefined : id))
    .optional()

/** Fields shared by sent messages and drafts. */
export const outgoingFields = {
  cc: given(recipients()).meta({ description: 'Recipients of a copy' }),
  bcc: given(recipients()).meta({ description: 'Recipients of a blind copy' }),
  reply_to: given(recipients()).meta({ description: `Addresses for replies: up to ${limits.recipients}` }),
  from: given(z.array(Recipient).length(1, { error: 'must have exactly one sender' })).meta({
    description:
      'Sender, exactly one; default: address and name of the grant. Another address must be an alias that the provider allows.',
  }),
  subject: given(headerText(limits.subjectLength)).meta({
    description: `Subject on one line, up to ${limits.subjectLength} characters. Default for a reply: the subject of the original message.`,
  }),
  body: given(z.string()).meta({ description: 'Body as HTML, or as plain text with `is_plaintext`' }),
  is_plaintext: given(z.boolean()).meta({
    description: 'true: `body` is plain text and no HTML is sent; default false',
  }),
  reply_to_message_id: optionalId(1024).meta({
    description:
      'Id or Message-ID of the message to reply to: sets In-Reply-To and References, so that the reply joins that thread',
  }),
  attachments: given(z.array(OutgoingAttachment).max(limits.multipartParts)).meta({
    description:
      'Attachments, up to 3 MB in total after decoding; send larger ones as parts of `multipart/form-data`, or upload them first',
  }),
  custom_headers: given(z.array(CustomHeader).max(limits.customHeaders)).meta({
    description: `Custom headers, up to ${limits.customHeaders}`,
  }),
  tracking_options: given(TrackingRequest).meta({
    description: 'Tracking of the sent message: opens, link clicks, replies. Default: none.',
  }),
  metadata: given(Metadata).meta({
    description: 'Your own key-value pairs, stored by the service for the message. Recipients do not see them.',
  }),
  template: given(TemplateUse).meta({
    description: 'Template for subject and body; `subject` or `body` in the request override it',
  }),
  signature_id: optionalId(64).meta({
    description: 'Id of a signature of the grant, appended to the HTML; ignored for plain text',
  }),
}

interface Threading {
  reply_to_message_id?: string | undefined
  custom_headers?: CustomHeader[] | undefined
}

/** The headers of a reply are derived from the message it replies to. */
export function checkThreading(request: Threading, context: z.RefinementCtx): void {
  if (request.reply_to_message_id === undefined) return
  for (const [index, { name }] of (request.custom_headers ?? []).entries()) {
    if (!/^(?:in-reply-to|references)$/i.test(name)) continue
    const message = `cannot be set with reply_to_message_id: ${name} is derived from it`
    context.addIssue({ code: 'custom', path: ['custom_headers', index, 'name'], message })
  }
}

export const SendRequest = z
  .object({
    to: recipients()
      .min(1, { error: 'must have at least one recipient' })
      .meta({
        description: `Recipients, at least one; \`to\`, \`cc\` and \`bcc\` have up to ${limits.recipients} addresses in total`,
      }),
    ...outgoingFields,
    send_at: given(Timestamp).meta({
      description: `Send time in Unix seconds: ${limits.scheduleSecondsMin} seconds to ${limits.scheduleDaysMax} days from now. Default: now.`,
    }),
    use_draft: given(z.boolean()).meta({
      description:
        'true, with `send_at`: the message is stored as a draft in the account, where its user can edit it. Deleting it makes the send fail. `imap`, `icloud` and `yahoo` fail with 422. Keys whose messages need approval or that have `recipients` cannot use it.',
    }),
  })
  .superRefine(checkThreading)
  .refine(({ use_draft, send_at }) => !use_draft || send_at !== undefined, {
    path: ['use_draft'],
    error: 'needs send_at',
  })
  .meta({ id: 'SendRequest', description: 'A message to send' })
export type SendRequest = z.output<typeof SendRequest>
