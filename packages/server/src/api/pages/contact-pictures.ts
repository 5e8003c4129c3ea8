/** Pictures of contacts that the service stores, at their `picture_url`. Anyone with the URL can see the picture. */

import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { picturePath } from '@waypost/providers/contacts/contact'
import type { Queries } from '@waypost/store/engine/database'
import { findContactPicture } from '@waypost/store/tables/calendars-contacts/contact-pictures'
import type { LivePage } from '../pipeline/page.ts'

export const contactPicturePage = ({ queries, seals }: { queries: Queries; seals: DataSeals }): LivePage => ({
  path: `${picturePath}:name`,
  async answer({ method, name }) {
    const uri = await findContactPicture(queries, seals, name)
    const [, type, bytes] = /^data:(image\/\w+);base64,(.*)$/s.exec(uri ?? '') ?? []
    if (type === undefined || bytes === undefined) return undefined
    const headers = {
      'content-type': type,
      // A replaced picture has a new URL.
      'cache-control': 'private, max-age=3600',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
    }
    return { status: 200, headers, body: method === 'HEAD' ? null : Uint8Array.from(Buffer.from(bytes, 'base64')) }
  },
})
