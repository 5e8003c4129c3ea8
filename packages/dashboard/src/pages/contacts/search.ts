/** Searches contacts at the provider if possible, otherwise in the contacts already read. */
import type { Contact } from '@waypost/sdk'

/** Full addresses and numbers are searched at the provider. Other text is searched in the contacts already read. */
export function exactFilter(search: string): { email: string } | { phone_number: string } | undefined {
  const text = search.trim()
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return { email: text }
  if (/^\+?[\d\s()./-]{6,}$/.test(text)) return { phone_number: text }
  return undefined
}

/** Whether the visible fields of a contact contain all search words. */
export function fits(contact: Contact, search: string): boolean {
  const all = [
    contact.display_name,
    contact.nickname,
    contact.company_name,
    contact.job_title,
    ...contact.emails.map(({ email }) => email),
    ...contact.phone_numbers.map(({ number }) => number),
  ]
  const text = all.join(' ').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
