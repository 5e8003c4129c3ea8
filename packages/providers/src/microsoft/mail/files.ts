/**
 * Stores messages with their files. A request accepts 4 MB. A larger message is stored without its files, which are
 * then added one by one, and a file of more than 3 MB in pieces
 * (https://learn.microsoft.com/graph/outlook-large-attachments).
 */
import { ApiError } from '@waypost/platform/api-error'
import { object, text } from '@waypost/platform/json/reader'
import { joined, type LargeMessage, wireLength } from '../../mail/large-files.ts'
import { withoutFiles } from '../../mail/mime-edits.ts'
import type { Outline, OutlineFile } from '../../mail/outline.ts'
import { mayRetry } from '../../shared/exchange.ts'
import { inPieces } from '../../shared/pieces.ts'
import { withRetry } from '../../shared/retry.ts'
import { refused } from '../errors.ts'
import type { Session } from '../session.ts'
import { foundOf, idPath, type Mailbox, named, orNotFound } from './mail-api.ts'
import { removeForEver } from './message-changes.ts'

/** The largest content that fits into a request in base64. */
export const requestBytes = 3_000_000
/** Pieces are smaller than 4 MB, and of a size that all services of Graph accept. */
const pieceBytes = 10 * 320 * 1024
const maxFileBytes = 150 * 1024 * 1024
const uploadMs = 120_000

const uploadSession = object({ uploadUrl: text }, {})

/** A message in the form that Graph accepts. */
export const asMime = (source: Uint8Array): { bytes: string; contentType: string } => ({
  bytes: Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString('base64'),
  contentType: 'text/plain',
})

/** Stores a message of any size as a draft and returns its id. A draft that could not be completed is removed. */
export async function createDraft(
  mailbox: Mailbox,
  message: LargeMessage & { outline(): Promise<Outline> },
): Promise<string> {
  const post = async (source: Uint8Array): Promise<string> => {
    const options = { raw: asMime(source), read: named, deadlineMs: uploadMs, scopes: ['Mail.ReadWrite'] }
    return (await mailbox.session.call('POST', mailbox.path('messages'), options)).id
  }
  if (wireLength(message) <= requestBytes) return post(await joined(message))
  const outline = await message.outline()
  const id = await post(withoutFiles(message.source, outline))
  try {
    await attachFiles(mailbox, id, outline.attachments)
  } catch (error) {
    await removeForEver(mailbox, 'draft', id).catch(() => undefined)
    throw error
  }
  return id
}

const filesPath = (mailbox: Mailbox, id: string): string => mailbox.path(`messages/${idPath('draft', id)}/attachments`)

/** Adds files to a draft, in their order. */
export async function attachFiles(mailbox: Mailbox, id: string, files: readonly OutlineFile[]): Promise<void> {
  for (const file of files) {
    if (file.size > maxFileBytes) {
      throw new ApiError('invalid_request', 'attachments: a file may have 150 MB at Microsoft')
    }
    if (file.size <= requestBytes) await attachSmall(mailbox, id, file)
    else await attachLarge(mailbox, id, file)
  }
}

const describe = ({ filename, contentType, contentId, inline }: OutlineFile): Record<string, unknown> => ({
  name: filename ?? 'attachment',
  contentType: contentType.split(';')[0]?.trim(),
  isInline: inline,
  ...(contentId === undefined ? {} : { contentId }),
})

async function attachSmall(mailbox: Mailbox, id: string, file: OutlineFile): Promise<void> {
  const contentBytes = Buffer.concat(await Array.fromAsync(file.content())).toString('base64')
  const body = { '@odata.type': '#microsoft.graph.fileAttachment', ...describe(file), contentBytes }
  await orNotFound('draft', () =>
    mailbox.session.execute('POST', filesPath(mailbox, id), { body, deadlineMs: uploadMs }),
  )
}

async function attachLarge(mailbox: Mailbox, id: string, file: OutlineFile): Promise<void> {
  const { session } = mailbox
  const body = { AttachmentItem: { attachmentType: 'file', size: file.size, ...describe(file) } }
  const path = `${filesPath(mailbox, id)}/createUploadSession`
  const { uploadUrl } = await orNotFound('draft', () => session.call('POST', path, { body, read: uploadSession }))
  let from = 0
  for await (const bytes of inPieces(file.content(), pieceBytes)) {
    const headers = {
      'content-type': 'application/octet-stream',
      'content-range': `bytes ${from}-${from + bytes.length - 1}/${file.size}`,
    }
    await putPiece(session, uploadUrl, { bytes, headers })
    from += bytes.length
  }
}

const putPiece = (
  session: Session,
  address: string,
  piece: { bytes: Uint8Array; headers: Record<string, string> },
): Promise<void> =>
  withRetry(
    session.io,
    async () => {
      const answer = await session.upload(address, piece)
      if (answer.status >= 300) throw refused(answer)
    },
    mayRetry(true),
  )

/** Removes files from a draft. */
export async function removeFiles(mailbox: Mailbox, id: string, fileIds: readonly string[]): Promise<void> {
  const calls = fileIds.map((fileId) => ({
    method: 'DELETE' as const,
    path: `${filesPath(mailbox, id)}/${idPath('attachment', fileId)}`,
  }))
  foundOf(await mailbox.session.batch(calls, (value) => value ?? {}))
}
