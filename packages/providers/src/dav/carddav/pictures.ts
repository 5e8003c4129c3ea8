/** Pictures of contacts: in their cards, or at an address that the account's credentials can open. */

import { readPhoto } from '@waypost/formats/vcard/photo'
import { readVCard } from '@waypost/formats/vcard/vcard'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { pictureUri } from '../../contacts/picture.ts'
import type { DavSession } from '../session.ts'
import { serviceOf } from './books.ts'
import type { CardDavTraits } from './traits.ts'

const maxBytes = 5 * 1024 * 1024

/** A client's picture as a data: URI; throws if it is invalid or too large. */
export function givenPicture(
  picture: string | null | undefined,
  { maxPictureBytes: max, title }: CardDavTraits,
): string | null | undefined {
  if (!picture) return picture === undefined ? undefined : null
  const uri = pictureUri(picture)
  const bytes = Buffer.byteLength(uri.slice(uri.indexOf(',') + 1), 'base64')
  if (max !== undefined && bytes > max) {
    throw invalidField('picture', `a picture at ${title} has at most ${max / 1024} KB`)
  }
  return uri
}

/** A picture as a data: URI, with the type detected from its bytes, or else the declared type. */
function uriOf(base64: string, mediaType: string | undefined): string | undefined {
  try {
    return pictureUri(base64)
  } catch {
    const type = /^image\/[\w.+-]+/i.exec(mediaType ?? '')?.[0]
    return type === undefined ? undefined : `data:${type.toLowerCase()};base64,${base64}`
  }
}

/** The picture of a card; undefined if it has none, or if it is on a foreign host. */
export async function pictureOf(session: DavSession, data: string): Promise<string | undefined> {
  const card = readVCard(data)
  const photo = card && readPhoto(card)
  if (!photo) return undefined
  if ('base64' in photo) return uriOf(photo.base64, photo.mediaType)
  try {
    const found = await serviceOf(session).client.download(photo.url, { maxBytes })
    return found && uriOf(found.body.toString('base64'), found.contentType)
  } catch (error) {
    // A picture that cannot be loaded is omitted; a rejected account is an error.
    if (session.io.signal.aborted || !(error instanceof ApiError) || error.code === 'grant_invalid') throw error
    return undefined
  }
}
