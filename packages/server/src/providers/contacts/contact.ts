/** A contact that the service keeps itself, as clients write and read it. Pure. */
import type { Contact, ContactChange } from '@waypost/contract'
import { parseDate } from '../../formats/timezones/dates.ts'
import { invalidField } from '../../lib/api-error.ts'
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

/** An address as it is compared. */
export const emailKeyOf = (email: string): string => email.trim().toLowerCase()

/** What a contact is looked for by. */
export const keysOf = ({ emails = [], phone_numbers: phones = [] }: ContactFields) => ({
  emailKey: emails[0] ? emailKeyOf(emails[0].email) : null,
  phoneKey: (phones[0] && sameNumberKey(phones[0].number)) || null,
})

/** Throws where a list has more values than a contact may have. */
export function checkMaxima(change: ContactChange, maxima: ContactMaxima): void {
  for (const name of [...lists, 'groups'] as const) {
    const max = maxima[name]
    if ((change[name]?.length ?? 0) <= max) continue
    throw invalidField(name, `a contact of this account has at most ${max === 1 ? 'one' : max}`)
  }
}

/** Throws where a birthday is no date. */
export function checkBirthday(birthday: string | null | undefined): void {
  if (!birthday) return
  // A year that is not known is written as 0; a leap year stands for it where the day is looked at.
  const day = birthday.startsWith('0000-') ? `2000${birthday.slice(4)}` : birthday
  if (parseDate(day) === undefined) throw invalidField('birthday', 'is not a date of the calendar')
}

const known = new Set(['work', 'home', 'mobile', 'other'])
/** Kinds as clients know them; another word is kept as `other`. */
const kindOf = (type: string | null | undefined): { type?: string } =>
  type ? { type: known.has(type) ? type : 'other' } : {}

/** The lists that a client gave, as they are kept. */
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

/** What is kept of a contact after a change: what is not given stays, lists are replaced. */
export function changedFields(before: ContactFields, change: ContactChange, maxima: ContactMaxima): ContactFields {
  checkMaxima(change, maxima)
  checkBirthday(change.birthday)
  const after: Record<string, unknown> = { ...before }
  for (const name of texts) if (change[name] !== undefined) after[name] = change[name] || undefined
  for (const name of lists) if (change[name] !== undefined) after[name] = givenLists[name](change)
  const kept = Object.entries(after).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  )
  const fields: ContactFields = Object.fromEntries(kept)
  if (fields.given_name || fields.surname || fields.company_name || fields.emails) return fields
  throw invalidField('given_name', 'a contact needs at least one of given_name, surname, company_name and emails')
}

function displayName({ given_name, middle_name, surname, suffix, company_name, emails }: ContactFields): string {
  const name = [given_name, middle_name, surname, suffix].filter((part) => part).join(' ')
  return name || company_name || emails?.[0]?.email || ''
}

/** Where the pictures of contacts that the service keeps are served. */
export const picturePath = '/v3/contact-pictures/'

/** The contact as clients read it; `baseUrl` is where pictures are served, which those met in mail do not have. */
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
