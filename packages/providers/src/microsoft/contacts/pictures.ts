/**
 * The pictures of contacts and users (https://learn.microsoft.com/graph/api/profilephoto-get), which require the
 * account's token.
 */
import { ApiError } from '@waypost/platform/api-error'
import { givenPicture } from '../../contacts/outlook.ts'
import { providerStatus } from '../../shared/refusal.ts'
import { isMissing } from '../errors.ts'
import { mailboxPath, type Session, version } from '../session.ts'
import { at } from '../token-endpoint.ts'

const maxBytes = 5 * 1024 * 1024

/** The path of a contact's picture. */
export const contactPicture = (session: Session, id: string): string =>
  mailboxPath(session, `contacts/${encodeURIComponent(id)}/photo/$value`)

/** Its URL, which only shows that there is one. To read it, request the contact with `profile_picture`. */
export const pictureUrl = (session: Session, id: string): string =>
  at('graph', `${version}${contactPicture(session, id)}`, session.io)

/** A picture as a data: URI; undefined if there is none. */
export async function readPicture(session: Session, path: string): Promise<string | undefined> {
  try {
    const { body, contentType } = await session.download(path, { maxBytes })
    const type = /^image\/[\w.+-]+/i.exec(contentType ?? '')?.[0] ?? 'image/jpeg'
    return `data:${type};base64,${body.toString('base64')}`
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Graph cannot delete pictures of contacts (https://learn.microsoft.com/graph/api/profilephoto-delete). */
export const pictureStays = (): ApiError =>
  new ApiError(
    'not_supported_by_provider',
    'picture: Microsoft cannot remove the picture of a contact: send another one, or remove it in Outlook',
  )

/** Sets the picture of a contact. Mailboxes of personal accounts do not accept one. */
export async function writePicture(session: Session, id: string, picture: string): Promise<void> {
  const path = contactPicture(session, id)
  await session.execute('PUT', path, { raw: givenPicture(picture, 'Microsoft') }).catch((error: unknown) => {
    if (providerStatus(error) !== 403) throw error
    const words = 'picture: Microsoft takes no pictures of contacts for this account: only those of organizations do'
    throw new ApiError('not_supported_by_provider', words, { cause: error })
  })
}
