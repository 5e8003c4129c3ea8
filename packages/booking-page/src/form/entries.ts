/** What the visitor types, and what is wrong with it. Pure functions. */
import type { AdditionalField, BookingGuest } from '@waypost/contract'
import type { BookingPageTextKey } from '@waypost/contract/booking-page'

export interface Entries {
  name: string
  email: string
  guests: readonly string[]
  /** By key of the field; a checked box is `true`. */
  fields: Readonly<Record<string, string>>
}

export interface ShownField extends AdditionalField {
  key: string
}

type Fields = Readonly<Record<string, AdditionalField>> | null | undefined

/** The fields of a form in their order, without those that are never shown. */
export const shownFields = (fields: Fields): ShownField[] =>
  Object.entries(fields ?? {})
    .map(([key, field]) => ({ ...field, key }))
    .filter(({ type }) => type !== 'metadata')
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0))

/** The value that a field begins with: from the address of the page, otherwise its default. */
function firstValue(key: string, field: AdditionalField, query: URLSearchParams): string {
  const given = query.get(key) ?? (field.default == null ? '' : String(field.default))
  if (field.type === 'checkbox') return /^(?:true|1|on|yes)$/i.test(given) ? 'true' : ''
  const isChoice = field.type === 'dropdown' || field.type === 'radio_button'
  return isChoice && !field.options?.includes(given) ? '' : given
}

/** The form as it opens: prefilled by the address of the page (`?name=&email=&<field>=`). */
export const firstEntries = (fields: Fields, query: URLSearchParams): Entries => ({
  name: query.get('name') ?? '',
  email: query.get('email') ?? '',
  guests: [],
  fields: Object.fromEntries(Object.entries(fields ?? {}).map(([key, field]) => [key, firstValue(key, field, query)])),
})

const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)

/** Whether the whole value matches; a pattern that the browser cannot read is left to the server. */
function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`).test(value)
  } catch {
    return true
  }
}

function wrongField({ type, required, pattern }: AdditionalField, value: string): BookingPageTextKey | undefined {
  if (value === '') {
    if (!required) return undefined
    if (type === 'checkbox') return 'required_checkbox'
    return type === 'radio_button' || type === 'dropdown' ? 'required_choice' : 'required'
  }
  if (type === 'email' && !isEmail(value)) return 'wrong_email'
  if (type === 'phone_number' && !/^[+\d][\d\s()./-]{3,}$/.test(value)) return 'wrong_phone'
  if (pattern && type !== 'checkbox' && !matches(pattern, value)) return 'wrong_format'
  return undefined
}

/** What is wrong, by the name of the input: `name`, `email`, `guest.0`, `field.<key>`. */
export function wrongEntries(entries: Entries, fields: Fields): Record<string, BookingPageTextKey> {
  const wrong: Record<string, BookingPageTextKey> = {}
  const email = entries.email.trim()
  if (entries.name.trim() === '') wrong.name = 'required'
  if (email === '') wrong.email = 'required'
  else if (!isEmail(email)) wrong.email = 'wrong_email'
  for (const [index, guest] of entries.guests.entries()) {
    if (guest.trim() !== '' && !isEmail(guest.trim())) wrong[`guest.${index}`] = 'wrong_email'
  }
  for (const field of shownFields(fields)) {
    const found = wrongField(field, (entries.fields[field.key] ?? '').trim())
    if (found) wrong[`field.${field.key}`] = found
  }
  return wrong
}

/** The entries as the API takes them. */
export function draftOf(entries: Entries): {
  guest: BookingGuest
  additional_guests: { email: string }[]
  additional_fields: Record<string, string>
} {
  const filled = Object.entries(entries.fields).map(([key, value]) => [key, value.trim()] as const)
  return {
    guest: { name: entries.name.trim(), email: entries.email.trim() },
    additional_guests: entries.guests.flatMap((guest) => (guest.trim() === '' ? [] : [{ email: guest.trim() }])),
    additional_fields: Object.fromEntries(filled.filter(([, value]) => value !== '')),
  }
}

/** The input that a message of the server is about. */
export function inputOf(path: string): string | undefined {
  if (/^guest\.name/.test(path)) return 'name'
  if (/^guest\.email/.test(path)) return 'email'
  const guest = /^additional_guests[.[](\d+)/.exec(path)
  if (guest) return `guest.${guest[1]}`
  const field = /^additional_fields\.(.+)$/.exec(path)
  return field ? `field.${field[1]}` : undefined
}
