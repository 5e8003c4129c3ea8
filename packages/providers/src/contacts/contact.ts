/** Maps a contact that the service stores to and from the API. Pure. */
import type { Contact, ContactChange } from '@waypost/contract'
import { parseDate } from '@waypost/formats/timezones/dates'
import { invalidField } from '@waypost/platform/api-error'
import { sameNumberKey } from './phone-number.ts'
import type { ContactFields, ContactRow } from './tables.ts'

/** How many values each list of a contact may have. */
export type ContactMaxima = Readonly<
  Record<'emails' | 'phone_numbers' | 'im_addresses' | 'physical_addresses' | 'web_pages' | 'groups', number>
>

const lists = ['emails', 'phone_numbers', 'im_addresses', 'physical_addresses', 'web_pages'] as const
const texts = [
  ...(['given_name', 'middle_name', 'surname', 'suffix', 'nickname', 'birthday'] as const),
  ...(['company_name', 'job_title', 'manager_name', 'office_location', 'notes'] as const),
]

/** The normalized form of an address for comparison. */
export const emailKeyOf = (email: string): string => email.trim().toLowerCase()

/** The keys by which a contact is searched. */
export const keysOf = ({ emails = [], phone_numbers: phones = [] }: ContactFields) => ({
  emailKey: emails[0] ? emailKeyOf(emails[0].email) : null,
  phoneKey: (phones[0] && sameNumberKey(phones[0].number)) || null,
})

/** Throws if a list has more values than allowed. */
export function checkMaxima(change: ContactChange, maxima: ContactMaxima): void {
  for (const name of [...lists, 'groups'] as const) {
    const max = maxima[name]
    if ((change[name]?.length ?? 0) <= max) continue
    throw invalidField(name, `a contact of this account has at most ${max === 1 ? 'one' : max}`)
  }
}

/** Throws if a birthday is not a valid date. */
export function checkBirthday(birthday: string | null | undefined): void {
  if (!birthday) return
  // An unknown year is written as 0; a leap year replaces it for the check.
  const day = birthday.startsWith('0000-') ? `2000${birthday.slice(4)}` : birthday
  if (parseDate(day) === undefined) throw invalidField('birthday', 'is not a date of the calendar')
}

const known = new Set(['work', 'home', 'mobile', 'other'])
/** The types that clients use; any other word is stored as `other`. */
const kindOf = (type: string | null | undefined): { type?: string } =>
  type ? { type: known.has(type) ? type : 'other' } : {}

/** A client's lists in stored form. */
const givenLists: { [L in (typeof lists)[number]]: (change: ContactChange) => NonNullable<ContactFields[L]> } = {
  emails: ({ emails }) => (emails ?? []).map(({ email, type }) => ({ email, ...kindOf(type) })),
  phone_numbers: ({ phone_numbers }) => (phone_numbers ?? []).map(({ number, type }) => ({ number, ...kindOf(type) })),
  im_addresses: ({ im_addresses }) =>
    (im_addresses ?? []).map(({ im_address, type }) => ({ im_address, ...(type ? { type } : {}) })),
  physical_addresses: ({ physical_addresses }) =>
    (physical_addresses ?? []).map(({ format: _, type, ...parts }) => ({
      type: kindOf(type).type ?? 'other',
      ...Object.fromEntries(Object.entries(parts).filter(([, value]) => value)),
    })),
  web_pages: ({ web_pages }) => (web_pages ?? []).map(({ url, type }) => ({ url, ...kindOf(type) })),
}

/** The stored fields after a change: absent fields stay, lists are replaced. */
export function changedFields(before: ContactFields, change: ContactChange, maxima: ContactMaxima): ContactFields {
  checkMaxima(change, maxima)
  checkBirthday(change.birthday)
  const after: Record<string, unknown> = { ...before }
  for (const name of texts) if (change[name] !== undefined) after[name] = change[name] || undefined
  for (const name of lists) if (change[name] !== undefined) after[name] = givenLists[name](change)
  const retained = Object.entries(after).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  )
  const fields: ContactFields = Object.fromEntries(retained)
  if (fields.given_name || fields.surname || fields.company_name || fields.emails) return fields
  throw invalidField('given_name', 'a contact needs at least one of given_name, surname, company_name and emails')
}

function displayName({ given_name, middle_name, surname, suffix, company_name, emails }: ContactFields): string {
  const name = [given_name, middle_name, surname, suffix].filter((part) => part).join(' ')
  return name || company_name || emails?.[0]?.email || ''
}

/** The path of pictures of contacts that the service stores. */
export const picturePath = '/v3/contact-pictures/'

/** The contact in the API's form; `baseUrl` is for pictures, which contacts gathered from mail do not have. */
export function shownContact(
  { id, source, fields, groupId, pictureKey }: ContactRow,
  grantId: string,
  baseUrl = '',
): Contact {
  return {
    id,
    grant_id: grantId,
    object: 'contact',
    source,
    display_name: displayName(fields),
    given_name: null,
    middle_name: null,
    surname: null,
    suffix: null,
    nickname: null,
    birthday: null,
    company_name: null,
    job_title: null,
    manager_name: null,
    office_location: null,
    notes: null,
    emails: [],
    phone_numbers: [],
    im_addresses: [],
    physical_addresses: [],
    web_pages: [],
    ...fields,
    groups: groupId === null ? [] : [{ id: groupId }],
    ...(pictureKey === undefined ? {} : { picture_url: `${baseUrl}${picturePath}${pictureKey}` }),
  }
}
