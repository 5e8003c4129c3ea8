/** The pictures of contacts: an attachment of the contact (`ContactPicture.jpg`), as Outlook stores it. */
import { givenPicture } from '../../contacts/outlook.ts'
import { pictureUri } from '../../contacts/picture.ts'
import { isMissing } from '../errors.ts'
import { CreateAttachment, DeleteAttachment, GetAttachment } from '../operations/attachments.ts'
import type { Session } from '../session.ts'
import type { Contact as EwsContact } from '../types/contact.ts'
import { photosOf } from './mapping/contact.ts'
import { readItem } from './named-contacts.ts'

/** The URL of a picture: the contact itself, requested with its picture. */
export const pictureUrl = ({ grant, io }: Session, id: string): string =>
  `${io.baseUrl}/v3/grants/${grant.id}/contacts/${encodeURIComponent(id)}?profile_picture=true`

/** The picture of a contact as a data: URI; undefined if it has none. */
export async function readPicture(session: Session, { Attachments }: EwsContact): Promise<string | undefined> {
  const [photo] = photosOf(Attachments)
  if (!photo?.AttachmentId) return undefined
  try {
    const { Attachments: read } = await session.call(GetAttachment, { AttachmentIds: [{ Id: photo.AttachmentId.Id }] })
    const [file] = read ?? []
    const content = file?.kind === 'FileAttachment' ? file.Content : undefined
    return content && uriOf(content, photo.ContentType)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** The content type by its bytes, otherwise the reported one. */
export function uriOf(content: Buffer, contentType: string | undefined): string {
  const base64 = content.toString('base64')
  try {
    return pictureUri(base64)
  } catch {
    const type = /^image\/[\w.+-]+/i.exec(contentType ?? '')?.[0] ?? 'image/jpeg'
    return `data:${type.toLowerCase()};base64,${base64}`
  }
}

/** Deletes attachments of a contact. If the answer is an error, a check shows whether they were deleted. */
async function deleteFiles(session: Session, itemId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  try {
    const answers = await session.each(DeleteAttachment, { AttachmentIds: ids.map((Id) => ({ Id })) })
    const refused = answers.find((answer) => answer instanceof Error && !isMissing(answer))
    if (refused) throw refused
  } catch (error) {
    const { Attachments } = await readItem(session, itemId)
    if (photosOf(Attachments).some(({ AttachmentId }) => AttachmentId && ids.includes(AttachmentId.Id))) throw error
  }
}

/** Replaces or removes the picture of a contact. */
export async function writePicture(
  session: Session,
  { itemId, before }: { itemId: string; before: EwsContact | undefined },
  picture: string | null,
): Promise<void> {
  const file = picture === null ? undefined : givenPicture(picture, 'Exchange')
  await deleteFiles(
    session,
    itemId,
    photosOf(before?.Attachments).flatMap(({ AttachmentId }) => AttachmentId?.Id ?? []),
  )
  if (!file) return
  await session.call(CreateAttachment, {
    ParentItemId: { Id: itemId },
    Attachments: [
      {
        kind: 'FileAttachment',
        Name: 'ContactPicture.jpg',
        ContentType: file.contentType,
        IsContactPhoto: true,
        Content: file.bytes,
      },
    ],
  })
}
