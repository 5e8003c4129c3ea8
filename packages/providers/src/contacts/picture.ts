/** Pictures of contacts, as clients send them. Pure. */
import { invalidField } from '@waypost/platform/api-error'

/** The bytes of a picture in base64, from bare base64 or a data: URI. */
export function pictureBytes(picture: string): string {
  const bare = picture.replace(/^data:[^,]{0,100};base64,/i, '').replace(/[\r\n]+/g, '')
  if (bare === '' || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(bare)) {
    throw invalidField('picture', 'must be base64, or a data: URI in base64')
  }
  return Buffer.from(bare, 'base64').toString('base64')
}

/** The first bytes of picture files in hexadecimal, by media type. Browsers are served no other types. */
const beginnings: readonly (readonly [mediaType: string, beginning: RegExp])[] = [
  ['image/jpeg', /^ffd8ff/],
  ['image/png', /^89504e470d0a1a0a/],
  ['image/gif', /^47494638(?:37|39)61/],
  ['image/webp', /^52494646.{8}57454250/],
]

/** A picture as a data: URI, with the type detected from its bytes. */
export function pictureUri(picture: string): string {
  const bytes = pictureBytes(picture)
  const head = Buffer.from(bytes.slice(0, 32), 'base64').toString('hex')
  const [mediaType] = beginnings.find(([, beginning]) => beginning.test(head)) ?? []
  if (!mediaType) throw invalidField('picture', 'must be a JPEG, PNG, GIF or WebP picture')
  return `data:${mediaType};base64,${bytes}`
}
