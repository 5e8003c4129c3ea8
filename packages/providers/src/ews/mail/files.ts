/**
 * Stores messages with their files. A request accepts 35 MB of base64 at Exchange 2010 and 64 MB later. A larger
 * message is stored without its files, which are then added a few at a time.
 */

import { ApiError } from '@waypost/platform/api-error'
import { encodedLength, joined, type LargeMessage, wireLength } from '../../mail/large-files.ts'
import { withoutFiles } from '../../mail/mime-edits.ts'
import type { Outline, OutlineFile } from '../../mail/outline.ts'
import { inGroups } from '../../shared/pieces.ts'
import { EwsError, isMissing } from '../errors.ts'
import { maxRequestBytes } from '../limits.ts'
import { CreateAttachment, DeleteAttachment } from '../operations/attachments.ts'
import { CreateItem } from '../operations/items.ts'
import type { Server } from '../soap/known-servers.ts'
import type { Attachment } from '../types/attachment.ts'
import type { ItemId } from '../types/ids.ts'
import { type Mailbox, orNotFound } from './mail-api.ts'
import { messageFlags, unsentAndRead } from './mapping/properties.ts'
import { flagFields, removeItem } from './message-changes.ts'

const megabyte = 1024 * 1024
/** The content of one request: half of what the strictest servers accept, in base64 and with the envelope. */
export const requestBytes = 7 * megabyte
/** Bytes of files per request; a larger file is sent by itself. */
const filesAtOnce = 6 * megabyte
/** What a request contains next to a file. */
const envelopeBytes = 8_192
export const uploadMs = 180_000

const bufferOf = (source: Uint8Array): Buffer => Buffer.from(source.buffer, source.byteOffset, source.byteLength)

/** A message in the form that Exchange accepts. */
export const asMime = (source: Uint8Array): { CharacterSet: string; value: Buffer } => ({
  CharacterSet: 'UTF-8',
  value: bufferOf(source),
})

interface DraftMessage extends LargeMessage {
  outline(): Promise<Outline>
  starred?: boolean | undefined
}

/** Stores a message of any size as a draft and returns its id. A draft that could not be completed is removed. */
export async function createDraft(mailbox: Mailbox, message: DraftMessage): Promise<ItemId> {
  const { source, starred } = message
  if (wireLength(message) <= requestBytes) return saveDraft(mailbox, await joined(message), starred)
  const outline = await message.outline()
  checkSizes(outline.attachments)
  const made = await saveDraft(mailbox, withoutFiles(source, outline), starred)
  try {
    return await attachFiles(mailbox, made, outline.attachments)
  } catch (error) {
    await removeItem(mailbox, made.Id).catch(() => undefined)
    throw error
  }
}

async function saveDraft(mailbox: Mailbox, source: Uint8Array, starred: boolean | undefined): Promise<ItemId> {
  const draft = (server: Server) => {
    const { ExtendedProperty: flag = [], ...named } = starred ? flagFields(true, server) : {}
    // Without this, some servers treat MIME content as a received message.
    const unsent = { ExtendedFieldURI: messageFlags, Value: `${unsentAndRead}` }
    return {
      kind: 'Message' as const,
      MimeContent: asMime(source),
      IsRead: true,
      ...named,
      ExtendedProperty: [unsent, ...flag],
    }
  }
  const request = (server: Server) => ({
    MessageDisposition: 'SaveOnly' as const,
    SavedItemFolderId: mailbox.place('drafts'),
    Items: [draft(server)],
  })
  const { Items } = await mailbox.session.call(CreateItem, request, { deadlineMs: uploadMs })
  const id = Items?.[0]?.ItemId
  if (!id) throw new ApiError('provider_unavailable', 'Exchange kept the draft and did not name it; try again')
  return id
}

/** A file for a request. An uploaded one is its marker, which the file replaces while the request is sent. */
const asAttachment = async (file: OutlineFile): Promise<Attachment> => ({
  kind: 'FileAttachment',
  Name: file.filename ?? 'attachment',
  ContentType: file.contentType.split(';')[0]?.trim(),
  ...(file.contentId === undefined ? {} : { ContentId: file.contentId }),
  IsInline: file.inline,
  Content:
    file.uploaded === undefined
      ? Buffer.concat(await Array.fromAsync(file.content()))
      : Buffer.from(file.uploaded.marker, 'base64'),
})

/** Throws before any work if a file is too large for a request. */
function checkSizes(files: readonly OutlineFile[]): void {
  for (const { size } of files) {
    if (encodedLength(size) + envelopeBytes <= maxRequestBytes) continue
    const problem = `a file has ${size} bytes; a request to Exchange may have ${maxRequestBytes} with files in base64`
    throw new ApiError('payload_too_large', `attachments: ${problem}: send a link instead`)
  }
}

/** Adds files to a draft in their order; returns the id of the draft with its new change key. */
export async function attachFiles({ session }: Mailbox, draft: ItemId, files: readonly OutlineFile[]): Promise<ItemId> {
  checkSizes(files)
  let id = draft
  for (const batch of inGroups(files, ({ size }) => size, filesAtOnce)) {
    const request = { ParentItemId: id, Attachments: await Promise.all(batch.map(asAttachment)) }
    const options = { deadlineMs: uploadMs, files: batch.flatMap(({ uploaded }) => uploaded ?? []) }
    const answers = await orNotFound('draft', () => session.each(CreateAttachment, request, options))
    for (const answer of answers) {
      if (answer instanceof EwsError) throw answer
      const made = answer.Attachments?.[0]?.AttachmentId
      if (made?.RootItemChangeKey !== undefined) id = { Id: id.Id, ChangeKey: made.RootItemChangeKey }
    }
  }
  return id
}

/** Removes files from a draft; files that were already removed are ignored. */
export async function removeFiles({ session }: Mailbox, fileIds: readonly string[]): Promise<void> {
  if (fileIds.length === 0) return
  const answers = await session.each(DeleteAttachment, { AttachmentIds: fileIds.map((Id) => ({ Id })) })
  for (const answer of answers) if (answer instanceof EwsError && !isMissing(answer)) throw answer
}
