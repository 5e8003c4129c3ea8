/** Filters shared by lists of messages and threads, and the choice of a shared mailbox. */
import { z } from 'zod'
import { addressesParam, booleanParam, lastTextParam, textParam } from './fields.ts'

export const queryImap = {
  query_imap: booleanParam().meta({
    description: 'Accepted without effect for compatibility: the mail server is always queried',
  }),
}
export const sharedFrom = {
  shared_from: textParam().meta({
    description:
      '`microsoft` and `ews`: address of the owner of a mailbox or folder shared with the account. Other providers fail with 422.',
  }),
}
export const sharedFolder = {
  shared_folder_id: textParam().meta({
    description: '`microsoft` and `ews`: id of the shared folder; with `shared_from`, instead of `in`',
  }),
}

/** Filters shared by messages and threads. A thread matches if one of its messages does. */
export const mailFilters = {
  q: z
    .string()
    .max(1024)
    .regex(/[\p{L}\p{N}]/u, { error: 'must contain a word' })
    .optional()
    .meta({
      description:
        'Words in subject, addresses or text, ignoring case; all must match. `"…"` is a phrase. Gmail finds whole words, IMAP servers also parts of words.',
    }),
  subject: textParam().meta({ description: 'Text in the subject, ignoring case; for `google` whole words' }),
  any_email: addressesParam().meta({
    description: 'Sent from or to any of these addresses, including `cc` and `bcc`: up to 25, comma-separated',
  }),
  from: addressesParam().meta({ description: 'From one of these full addresses' }),
  to: addressesParam().meta({ description: 'One of these full addresses in `to`' }),
  cc: addressesParam().meta({ description: 'One of these full addresses in `cc`' }),
  bcc: addressesParam().meta({
    description: 'One of these addresses in `bcc`; finds mail sent by the account itself',
  }),
  in: lastTextParam().meta({
    description:
      'Id of one folder, not its name; the last one if repeated. Default: all folders, including junk and trash.',
  }),
  unread: booleanParam().meta({ description: '`true`: only unread; `false`: only read' }),
  starred: booleanParam().meta({ description: '`true`: only starred; `false`: only without a star' }),
  has_attachment: booleanParam().meta({
    description: '`true`: only with attachments; `false`: only without. Inline images are not attachments.',
  }),
  search_query_native: z.string().min(1).max(8192).optional().meta({
    description:
      "A search in the provider's native language: Gmail operators, KQL or `$filter=…` for `microsoft`, AQS for `ews`, RFC 3501 search keys for IMAP. With `google` and `microsoft`, it can only be combined with `in`; with `ews`, with everything except `thread_id`.",
  }),
  ...sharedFrom,
  ...sharedFolder,
}

type Query = Readonly<Record<string, unknown>>

/** Reading a shared mailbox requires one of the two folder parameters. */
export function checkSharedFolder(query: Query, context: z.RefinementCtx): void {
  if (query.shared_from === undefined || query.in !== undefined || query.shared_folder_id !== undefined) return
  context.addIssue({ code: 'custom', path: ['shared_from'], message: 'needs in or shared_folder_id' })
}
