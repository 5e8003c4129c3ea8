/** Display name and picture of a contact. */
import type { Contact } from '@waypost/sdk'

export function nameOf(contact: Contact): string {
  const { display_name, company_name, emails, phone_numbers } = contact
  return display_name.trim() || company_name || emails[0]?.email || phone_numbers[0]?.number || 'Unnamed'
}

export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '')
  return letters.join('').toUpperCase() || '?'
}

/** Only pictures embedded in the response are used, so that nothing is loaded from elsewhere. */
export const pictureOf = ({ picture }: Contact): string | undefined =>
  picture && /^data:image\/(?:png|gif|jpeg|webp);base64,[a-z0-9+/=\s]+$/i.test(picture) ? picture : undefined
