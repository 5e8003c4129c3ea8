/** The effects of messages and drafts, with the texts and files that recipients get. */
import type { SendRequest } from '@waypost/contract'
import { FILE_HEAD } from '@waypost/formats/mime/file-type'
import type { WholeMessage } from '@waypost/formats/mime/whole'
import { invalidField } from '@waypost/platform/api-error'
import { emailKey } from '@waypost/platform/email-key'
import { textIn } from '@waypost/platform/json/values'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { readDraftNote } from '@waypost/store/tables/mail/draft-notes'
import { mailboxOf } from '../../grants/locator.ts'
import { composeRaw, type ReadMessage } from '../../sending/compose/raw.ts'
import { accountOf, newMessageId } from '../../sending/ledger/send-keys.ts'
import { answerSubject } from '../../sending/replies/reply.ts'
import { findParent } from '../../sending/replies/reply-parent.ts'
import { filesOf, signatureOf, textOf } from '../../sending/requests/outgoing.ts'
import type { Order } from '../../sending/sending.ts'
import { type Detail, detail, type Effects, none } from '../effects/effects.ts'
import { addressedInHeaders, messageEffects, type OutgoingText } from '../effects/message-effects.ts'
import { readableOf, readHtmlOf, wholeFacts } from '../effects/readable-text.ts'
import type { Action } from './action.ts'

const grantOf = ({ context }: Action): GrantRecord => {
  if (!context.grant) throw new Error('the request has no grant')
  return context.grant
}

/** For reading at the provider what the action is about. */
const orderOf = (action: Action): Order => ({
  grant: grantOf(action),
  responseHeaders: {},
  calls: action.context.calls,
  signal: action.context.request.signal,
})

const senderOf = ({ grant }: GrantRecord) => [{ email: grant.email ?? '', name: grant.name ?? undefined }]

async function signatureText(
  action: Action,
  id: string | undefined,
): Promise<{ html: string; text: string } | undefined> {
  const html = await signatureOf(action.tools.database, mailboxOf(grantOf(action)), id)
  return html === undefined ? undefined : { html, text: (await readableOf(action.reading, html)).text }
}

const trackingOf = (tracking: SendRequest['tracking_options']): string =>
  (['opens', 'links', 'thread_replies'] as const).filter((name) => tracking?.[name]).join(', ')

const furtherOf = (request: SendRequest): Detail[] => [
  ...detail('In reply to', request.reply_to_message_id),
  ...detail('Tracking', trackingOf(request.tracking_options)),
]

/** The message of a JSON request. */
async function requestedEffects(action: Action, request: SendRequest): Promise<Effects> {
  const { tools, context } = action
  const grant = grantOf(action)
  const { subject: given, body = '' } = await textOf(tools.database, mailboxOf(grant), request)
  const answered = await findParent(
    { sessions: tools.sessions, database: tools.database },
    orderOf(action),
    request.reply_to_message_id,
  )
  const subject = given ?? (answered ? answerSubject(answered.subject) : undefined)
  const isHtml = !request.is_plaintext
  const signature = isHtml ? await signatureText(action, request.signature_id) : undefined
  const text: OutgoingText = {
    body,
    isHtml,
    readable: isHtml && body !== '' ? await readHtmlOf(action.reading, body) : undefined,
  }
  const files = await filesOf(tools, mailboxOf(grant), {
    attachments: request.attachments ?? [],
    parts: context.files,
  })
  const effects = messageEffects({
    from: request.from ?? senderOf(grant),
    to: request.to,
    cc: request.cc,
    bcc: request.bcc,
    reply_to: request.reply_to,
    subject,
    text,
    signature,
    headers: request.custom_headers,
    files: files.map(({ filename, contentType, content, upload }) => ({
      filename,
      contentType,
      size: upload?.size ?? content.byteLength,
      // A marker stands for an uploaded file.
      head: upload ? undefined : content.subarray(0, FILE_HEAD),
    })),
    sendAt: request.send_at,
    details: furtherOf(request),
  })
  // Templates and signatures can change before the decision.
  const isOpen = request.template !== undefined || signature !== undefined
  return isOpen ? { ...effects, basis: { subject: given, body, signature: signature?.html } } : effects
}

/** Everything is read from the bytes that are sent. */
const nothingElse: ReadMessage = async () => ({ body: '', isHtml: false, snippet: '', attachments: [] })

/** A whole MIME message. What cannot be read is refused, because nobody could judge it. */
async function mimeEffects(action: Action, source: Uint8Array): Promise<Effects> {
  const { tools } = action
  const grant = grantOf(action)
  const identity = {
    account: accountOf(grant),
    messageId: newMessageId(grant),
    date: new Date(tools.clock.now()),
  }
  const { head, source: sent } = await composeRaw({ source, ...identity }, nothingElse)
  // Mail programs choose one of the alternatives, and a person could read only one before the decision.
  if (/multipart\/alternative/i.test(sent.toString('latin1'))) {
    throw invalidField('mime', 'has alternative texts (multipart/alternative), which nobody could approve: send JSON')
  }
  return messageEffects({ ...head, ...(await wholeFacts(action.reading, await readWholeOf(action, sent))) })
}

async function readWholeOf({ reading }: Action, source: Uint8Array): Promise<WholeMessage> {
  const { parse, signal } = reading
  const [outcome] = await parse.run<object, WholeMessage>('whole', [{ source }], { signal })
  if (!outcome?.ok) throw invalidField('mime', 'cannot be read')
  return outcome.value
}

export const sendEffects = (action: Action, request: SendRequest | undefined): Promise<Effects> =>
  request ? requestedEffects(action, request) : mimeEffects(action, action.context.mime ?? new Uint8Array())

/**
 * The effects of sending a draft, whichever program wrote it. It is read as it would be sent, and the approval covers every
 * byte of it, because a list of fields always lacks something that recipients get.
 */
export async function draftEffects(action: Action): Promise<Effects> {
  const { tools, context } = action
  const { database, sending } = tools
  const grant = grantOf(action)
  const draftId = context.params.draft_id ?? ''
  const { tracking_options: tracking } = await readDraftNote(database, mailboxOf(grant), draftId)
  const { digest, composed, whole } = await sending.examineDraft({
    ...orderOf(action),
    draftId,
    tracking,
    signature: await signatureOf(database, mailboxOf(grant), textIn(context.body, 'signature_id')),
  })
  const effects = messageEffects({
    ...composed.head,
    ...(await wholeFacts(action.reading, whole)),
    details: [...detail('Draft', draftId), ...detail('Tracking', trackingOf(tracking))],
  })
  const own = emailKey(grant.grant.email ?? '')
  // Receipts that come back to the account itself tell nobody else anything.
  const recipients = effects.recipients.filter(({ role, email }) => role !== 'header' || emailKey(email) !== own)
  return { ...effects, recipients, basis: { digest }, onlyAs: digest }
}

/**
 * Writing a draft sends nothing. Headers that address somebody and another sender are refused here already, so that the
 * assistant learns of it before it asks to send the draft.
 */
export function draftWritingEffects(body: unknown): Effects {
  const { custom_headers, from } = (body ?? {}) as Partial<Pick<SendRequest, 'custom_headers' | 'from'>>
  return {
    ...none,
    recipients: addressedInHeaders(custom_headers),
    senders: (from ?? []).map(({ email }) => email),
  }
}
