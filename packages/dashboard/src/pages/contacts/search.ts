/** How contacts are searched: at the provider where it can, in what was read where not. */
import type { Contact } from '@waypost/sdk'

/** A whole address or number is asked for at the provider; anything else is looked for in what was read. */
export function exactFilter(search: string): { email: string } | { phone_number: string } | undefined {
  const text = search.trim()
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return { email: text }
  if (/^\+?[\d\s()./-]{6,}$/.test(text)) return { phone_number: text }
  return undefined
}

/** Whether a contact has all the words that are looked for, in any of what is shown of it. */
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
