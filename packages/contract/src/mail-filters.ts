/** What lists of mail are filtered by: messages and threads alike, and whose mailbox is read. */
import { z } from 'zod'
import { addressesParam, booleanParam, lastTextParam, textParam } from './fields.ts'

export const queryImap = {
  query_imap: booleanParam().meta({
    description: 'Without effect, for clients that send it: the mail server is always asked',
  }),
}
export const sharedFrom = {
  shared_from: textParam().meta({
    description:
      '`microsoft` and `ews`: the address of who shares a mailbox, or folders of it, with the account. Others refuse it with 422.',
  }),
}
export const sharedFolder = {
  shared_folder_id: textParam().meta({
    description: '`microsoft` and `ews`: id of the folder that is shared; with `shared_from`, in place of `in`',
  }),
}

/** The filters that messages and threads have in common; a thread matches where one of its messages does. */
export const mailFilters = {
  q: z
    .string()
    .max(1024)
    .regex(/[\p{L}\p{N}]/u, { error: 'must hold a word' })
    .optional()
    .meta({
      description:
        'Words that stand in subject, addresses or text, all of them, in any case; `"…"` is one phrase. Gmail finds whole words, IMAP servers parts of them too.',
    }),
  subject: textParam().meta({ description: 'Text of the subject, in any case; at `google` whole words of it' }),
  any_email: addressesParam().meta({
    description: 'Sent from or to any of these addresses, `cc` and `bcc` included: up to 25 with commas between them',
  }),
  from: addressesParam().meta({ description: 'From one of these addresses, written whole' }),
  to: addressesParam().meta({ description: 'With one of these addresses, written whole, among the recipients (`to`)' }),
  cc: addressesParam().meta({ description: 'With one of these addresses, written whole, in `cc`' }),
  bcc: addressesParam().meta({
    description: 'With one of these addresses in `bcc`; finds mail that the account itself sent',
  }),
  in: lastTextParam().meta({
    description:
      'Id of one folder, not its name; of several the last counts. All folders when absent, junk and trash included.',
  }),
  unread: booleanParam().meta({ description: '`true`: those that are unread; `false`: those that are read' }),
  starred: booleanParam().meta({ description: '`true`: those with a star; `false`: those without' }),
  has_attachment: booleanParam().meta({
    description: '`true`: those with files; `false`: those without. An image within the text is no attachment.',
  }),
  search_query_native: z.string().min(1).max(8192).optional().meta({
    description:
      "A search in the provider's own language: Gmail's operators, KQL or `$filter=…` at `microsoft`, AQS at `ews`, search keys of RFC 3501 in IMAP. At `google` and `microsoft` only `in` may stand beside it, at `ews` all but `thread_id`.",
  }),
  ...sharedFrom,
  ...sharedFolder,
}

type Query = Readonly<Record<string, unknown>>

/** Reading from a shared mailbox names the folder, one way or the other. */
export function checkSharedFolder(query: Query, context: z.RefinementCtx): void {
  if (query.shared_from === undefined || query.in !== undefined || query.shared_folder_id !== undefined) return
  context.addIssue({ code: 'custom', path: ['shared_from'], message: 'needs in or shared_folder_id beside it' })
}
