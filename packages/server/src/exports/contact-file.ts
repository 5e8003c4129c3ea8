/** Contacts as vCards (RFC 2426 and RFC 6350). Pure. */
import { createHash } from 'node:crypto'
import type { Contact, VCardVersion } from '@waypost/contract'
import { newCard } from '@waypost/formats/vcard/changes'
import { setShownName } from '@waypost/formats/vcard/names'

/** The card of a contact. `groupNames` has the names of groups by their ids; `now` is in milliseconds. */
export function cardOf(
  contact: Contact,
  { version, groupNames, now }: { version: VCardVersion; groupNames: ReadonlyMap<string, string>; now: number },
): string {
  const { id, grant_id, object: _, source: __, groups = [], picture: ___, picture_url: ____, ...fields } = contact
  const { display_name: shownName, ...change } = fields
  const categories = (groups ?? []).flatMap((group) => groupNames.get(group.id) ?? [])
  const card = newCard({ ...change, categories }, { uid: uidOf(grant_id, id), version, now })
  if (shownName.trim() !== '') setShownName(card, shownName)
  return card.write()
}

/** A UUID that is the same in every export of the contact, so that a second import changes it instead of adding one. */
export function uidOf(grantId: string, contactId: string): string {
  const bytes = createHash('sha256').update(`${grantId}\n${contactId}`).digest()
  // RFC 9562 §5.8: version 8, for values of one's own making.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex', 0, 16)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
