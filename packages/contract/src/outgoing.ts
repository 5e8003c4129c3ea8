/** What a message to be sent is: its people, files, headers, tracking and template. Drafts have most of it, too. */
import { z } from 'zod'
import { Id, Metadata, Timestamp } from './fields.ts'
import { limits } from './limits.ts'

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
    name: given(headerText(limits.subjectLength)).meta({ description: 'Display name; the address alone when absent' }),
    email: z.string().max(320).refine(isAddress, { error: 'must be an e-mail address' }).meta({
      description: 'E-mail address. Letters beyond ASCII before the @ need a mail server that takes them (SMTPUTF8).',
    }),
  })
  .meta({ id: 'Recipient', description: 'A person whom a message is to name' })
export type Recipient = z.output<typeof Recipient>

export const recipients = () =>
  z.array(Recipient).max(limits.recipients, { error: `must hold at most ${limits.recipients} addresses` })

/** Clients break base64 into lines, leave the padding out, or write the alphabet of URLs. */
function contentProblem(text: string): string | undefined {
  if (isUsualBase64(text)) return undefined
  const bare = text.replace(/[\r\n]+/g, '').replace(/={1,2}$/, '')
  if (bare === '') return 'must not be empty'
  return bare.length % 4 === 1 || /[^A-Za-z0-9+/_-]/.test(bare) ? 'must be the bytes of the file in base64' : undefined
}

/** Characters that are decoded at a time: whole groups of four. */
const decodedAtOnce = 65_536

/** Whether a text is base64 with none of that: decoding it tells so several times as fast as looking at each character. */
function isUsualBase64(text: string): boolean {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const length = text.length - padding
  if (length === 0 || length % 4 === 1) return false
  const bytes = new Uint8Array((decodedAtOnce / 4) * 3)
  try {
    for (let from = 0; from < length; from += decodedAtOnce) {
      const { written } = bytes.setFromBase64(text.slice(from, from + decodedAtOnce))
      // White space, and what comes behind an end, is passed over.
      if (written !== Math.floor((Math.min(length - from, decodedAtOnce) * 3) / 4)) return false
    }
    return true
  } catch {
    return false
  }
}

/** What else clients write beside these fields, such as `size` and `is_inline`, is passed over. */
export const OutgoingAttachment = z
  .object({
    filename: given(headerText(255).min(1)).meta({
      description: 'Name of the file as recipients see it; required, up to 255 characters',
    }),
    content: given(
      z.string().superRefine((text, context) => {
        const problem = contentProblem(text)
        if (problem) context.addIssue({ code: 'custom', message: problem })
      }),
    ).meta({
      description: 'Bytes of the file in base64; required. Line breaks and the alphabet of URLs are taken too.',
    }),
    content_type: given(headerText(255)).meta({
      description: 'Media type, such as `application/pdf`; told by the name of the file when absent',
    }),
    content_id: given(headerText(255)).meta({
      description:
        'Name by which the HTML shows the file, with `<img src="cid:…">`: ASCII without spaces. Such a file is inline unless `content_disposition` says otherwise.',
    }),
    content_disposition: given(headerText(255)).meta({
      description: '`inline`, or `attachment`: not shown in the text, whatever the `content_id`',
    }),
    id: given(headerText(255)).meta({
      description: 'Id of a file that was uploaded before. There are no uploads: every provider refuses it with 422.',
    }),
  })
  .superRefine(({ id, filename, content }, context) => {
    if (id !== undefined) return
    for (const [name, value] of Object.entries({ filename, content })) {
      if (value === undefined) context.addIssue({ code: 'custom', path: [name], message: 'is required' })
    }
  })
  .meta({ id: 'OutgoingAttachment', description: 'A file of a message, in the JSON itself' })
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
      .refine((name) => !reserved.test(name), { error: 'is a header that cannot be set here' })
      .meta({
        description:
          'Name of the header, such as `X-Case`. Those that the service or the servers write are refused: From, To, Cc, Bcc, Reply-To, Subject, Date, Message-ID, Content-* and the like.',
      }),
    value: headerText(limits.customHeaderLength).meta({
      description: `Value on one line, up to ${limits.customHeaderLength} characters`,
    }),
  })
  .meta({ id: 'CustomHeader', description: 'A header of your own. `icloud` refuses `List-Unsubscribe` headers.' })
export type CustomHeader = z.output<typeof CustomHeader>

export const TrackingRequest = z
  .object({
    opens: given(z.boolean()).meta({
      description: 'true: an invisible picture is added to the HTML, and `message.opened` tells when it is loaded',
    }),
    links: given(z.boolean()).meta({
      description:
        'true: links of the HTML (https, http, mailto and tel, at most 100) lead through this service, and `message.link_clicked` tells when one is followed',
    }),
    thread_replies: given(z.boolean()).meta({
      description: 'true: `thread.replied` tells of answers. The account must be one that is watched.',
    }),
    label: given(headerText(limits.trackingLabelLength)).meta({
      description: `Your own text, told in every notification of this message: up to ${limits.trackingLabelLength} characters`,
    }),
    domain_name: given(z.string().max(300)).meta({
      description: 'Host that links and picture lead to, beside `opens` or `links`: must be the one of this service',
    }),
  })
  .superRefine(({ domain_name, opens, links }, context) => {
    if (domain_name === undefined || opens || links) return
    context.addIssue({ code: 'custom', path: ['domain_name'], message: 'needs opens or links beside it' })
  })
  .meta({ id: 'TrackingRequest', description: 'What is to be tracked of a message. Nothing when absent.' })
export type TrackingRequest = z.output<typeof TrackingRequest>

export const TemplateUse = z
  .object({
    id: Id.meta({ description: 'Id of a template of the grant, or of the application' }),
    strict: z.boolean().default(true).meta({
      description:
        'Whether a variable that the template names and `variables` lacks is an error; otherwise it is empty',
    }),
    variables: z
      .record(z.string(), z.unknown())
      .default({})
      .meta({ description: 'Values by the name of the variable' }),
  })
  .meta({ id: 'TemplateUse', description: 'A template that gives a message its subject and body' })
export type TemplateUse = z.output<typeof TemplateUse>

const optionalId = (most: number) =>
  given(headerText(most).refine((id) => id !== '.' && id !== '..', { error: 'must not be . or ..' }))
    .transform((id) => (id === '' ? undefined : id))
    .optional()

/** What a message to be sent and a draft have in common. */
export const outgoingFields = {
  cc: given(recipients()).meta({ description: 'Recipients of a copy' }),
  bcc: given(recipients()).meta({ description: 'Recipients of a copy whom the others do not see' }),
  reply_to: given(recipients()).meta({ description: `Where answers are to go: up to ${limits.recipients} addresses` }),
  from: given(z.array(Recipient).length(1, { error: 'must hold exactly one sender' })).meta({
    description:
      'Sender, exactly one: address and name of the grant when absent. Another address must be an alias that the provider allows.',
  }),
  subject: given(headerText(limits.subjectLength)).meta({
    description: `Subject on one line, up to ${limits.subjectLength} characters. That of the message that is answered when absent.`,
  }),
  body: given(z.string()).meta({ description: 'Text of the message as HTML, or as plain text with `is_plaintext`' }),
  is_plaintext: given(z.boolean()).meta({
    description: 'true: `body` is plain text, and no HTML is sent; false when absent',
  }),
  reply_to_message_id: optionalId(1024).meta({
    description:
      'Message that this one answers, by its id or its Message-ID: sets In-Reply-To and References, so that it is filed in that thread',
  }),
  attachments: given(z.array(OutgoingAttachment).max(limits.multipartParts)).meta({
    description: 'Files, up to 3 MB together once they are decoded; larger ones go as parts of `multipart/form-data`',
  }),
  custom_headers: given(z.array(CustomHeader).max(limits.customHeaders)).meta({
    description: `Headers of your own, up to ${limits.customHeaders}`,
  }),
  tracking_options: given(TrackingRequest).meta({
    description: 'What is to be told once the message was sent: opens, followed links, answers. Nothing when absent.',
  }),
  metadata: given(Metadata).meta({
    description: 'Your own pairs of texts, kept by the service for the message. Recipients do not see them.',
  }),
  template: given(TemplateUse).meta({
    description: 'Template for subject and body; a `subject` or `body` of the request takes the place of its own',
  }),
  signature_id: optionalId(64).meta({
    description: 'Signature of the grant, put at the end of the HTML; without effect on plain text',
  }),
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
    to: recipients()
      .min(1, { error: 'must name at least one recipient' })
      .meta({
        description: `Recipients, at least one; \`to\`, \`cc\` and \`bcc\` hold up to ${limits.recipients} addresses together`,
      }),
    ...outgoingFields,
    send_at: given(Timestamp).meta({
      description: `When to send it, in Unix seconds: ${limits.scheduleSecondsMin} seconds to ${limits.scheduleDaysMax} days from now. At once when absent.`,
    }),
    use_draft: given(z.boolean()).meta({
      description:
        'true, beside `send_at`: the message waits among the drafts of the account, where its user can change it or, by deleting it, let the sending fail. `imap`, `icloud` and `yahoo` refuse it with 422.',
    }),
  })
  .superRefine(checkThreading)
  .refine(({ use_draft, send_at }) => !use_draft || send_at !== undefined, {
    path: ['use_draft'],
    error: 'needs send_at beside it',
  })
  .meta({ id: 'SendRequest', description: 'A message to be sent' })
export type SendRequest = z.output<typeof SendRequest>
