/**
 * Sending through Exchange, which files sent messages by itself a moment later. A message is sent as MIME, so that its
 * headers and its Message-ID stay ours and it can be found again. A message that is too large for one request is stored as a
 * draft first, file by file.
 */
import type { OutgoingMessage, SentMessage } from '../../operations.ts'
import { SendFailed } from '../../provider.ts'
import { joined, wireLength } from '../large-files.ts'
import { withRecipients } from '../mime-edits.ts'
import { withOwnName } from '../sent-name.ts'
import { transmissionMs } from '../transmission.ts'
import type { ExchangeMailbox } from './mail-api.ts'

/** Deadline of the request that sends a message. */
export const sendMs = transmissionMs - 30_000

/** A message that is ready to be sent: with all recipients and the header that carries its Message-ID. */
export type ReadyMessage = Pick<OutgoingMessage, 'source' | 'largeFiles' | 'outline' | 'messageId'>

export interface MessageSender<B, D> {
  /** The largest message that one request can carry. */
  maxRequestBytes: number
  needDraft(mailbox: B, id: string): Promise<void>
  /** Throws before the message is on its way if the account cannot be used. */
  checkAccount?(mailbox: B): Promise<unknown>
  send(mailbox: B, message: ReadyMessage): Promise<SentMessage>
  createDraft(mailbox: B, message: ReadyMessage): Promise<D>
  sendDraft(mailbox: B, draft: D, message: ReadyMessage): Promise<SentMessage>
  discardDraft(mailbox: B, draft: D): Promise<void>
  removeForEver(mailbox: B, what: 'draft', id: string): Promise<void>
  /** The error to throw after a failed send: whether the message may have been accepted, and whether it ever will be. */
  failureOf(error: unknown): unknown
}

export async function sendMessage<B extends ExchangeMailbox, D>(
  sender: MessageSender<B, D>,
  { mailbox, message }: { mailbox: B; message: OutgoingMessage },
  begin: () => Promise<void>,
): Promise<SentMessage> {
  const { draftId, messageId, outline, largeFiles } = message
  if (draftId !== undefined) await sender.needDraft(mailbox, draftId)
  const ready = {
    source: withOwnName(withRecipients(message.source, message.recipients), messageId),
    messageId,
    outline,
    largeFiles,
  }
  await sender.checkAccount?.(mailbox)
  const isSmall = wireLength(ready) <= sender.maxRequestBytes
  const sent = isSmall
    ? await sendAtOnce(sender, mailbox, { messageId, outline, source: await joined(ready) }, begin)
    : await sendAsDraft(sender, mailbox, ready, begin)
  await removeSentDraft(sender, mailbox, draftId)
  return sent
}

async function sendAtOnce<B, D>(
  sender: MessageSender<B, D>,
  mailbox: B,
  ready: ReadyMessage,
  begin: () => Promise<void>,
): Promise<SentMessage> {
  await begin()
  try {
    return await sender.send(mailbox, ready)
  } catch (error) {
    throw sender.failureOf(error)
  }
}

/** The draft is discarded if the message was certainly not sent. */
async function sendAsDraft<B, D>(
  sender: MessageSender<B, D>,
  mailbox: B,
  ready: ReadyMessage,
  begin: () => Promise<void>,
): Promise<SentMessage> {
  const draft = await sender.createDraft(mailbox, ready)
  const discard = (): Promise<void> => sender.discardDraft(mailbox, draft).catch(() => undefined)
  await begin().catch(async (error: unknown) => {
    await discard()
    throw error
  })
  try {
    return await sender.sendDraft(mailbox, draft, ready)
  } catch (error) {
    const failure = sender.failureOf(error)
    const isUnsent = !(failure instanceof SendFailed) || !failure.maybeSent
    if (isUnsent) await discard()
    throw failure
  }
}

/** Removes the draft that a message was before it was sent. A failure is not reported: filing the message tries again. */
export async function removeSentDraft<B extends ExchangeMailbox>(
  { removeForEver }: Pick<MessageSender<B, never>, 'removeForEver'>,
  mailbox: B,
  draftId: string | undefined,
): Promise<void> {
  if (draftId === undefined) return
  try {
    await removeForEver(mailbox, 'draft', draftId)
  } catch (error) {
    const { io, grant } = mailbox.session
    io.log.debug({ error, grant_id: grant.id }, 'a draft that was sent could not be removed yet')
  }
}
