/** Maps a person of the People API to a contact, and back. Pure. */
import type { Contact, ContactChange, ContactGroup, ContactSource } from '@waypost/contract'
import { parseDate } from '@waypost/formats/timezones/dates'
import { invalidField } from '@waypost/platform/api-error'
import type { GoogleContact, GoogleDate, GoogleGroup } from '../people-api.ts'

/** Contacts that Google knows only from mail have ids of their own. */
const otherMark = 'other-'

/** The id of a contact: the last part of its resource name. */
export const contactId = (resourceName: string): string => {
  const [collection, id = ''] = resourceName.split('/')
  return collection === 'otherContacts' ? `${otherMark}${id}` : id
}

/**
 * The resource name of a contact of the address book or the directory; undefined for a contact known only from mail.
 */
export const personName = (id: string): string | undefined =>
  id.startsWith(otherMark) ? undefined : `people/${encodeURIComponent(id)}`

export const groupName = (id: string): string => `contactGroups/${encodeURIComponent(id)}`
const groupId = (resourceName: string): string => resourceName.replace(/^contactGroups\//, '')

/** The types of the API. Google has more, and users can write their own. */
const placeOf = (type: string | undefined): { type?: string } => {
  if (type === undefined || type === '') return {}
  const name = type.toLowerCase()
  return { type: name.startsWith('work') ? 'work' : name.startsWith('home') ? 'home' : 'other' }
}
const phoneKind = (type: string | undefined): { type?: string } =>
  type !== undefined && /mobile$/i.test(type) ? { type: 'mobile' } : placeOf(type)

const twoDigits = (value: number): string => `${value}`.padStart(2, '0')

function birthdayOf(date: GoogleDate | undefined): string | null {
  if (!date?.month || !date.day) return null
  return `${`${date.year ?? 0}`.padStart(4, '0')}-${twoDigits(date.month)}-${twoDigits(date.day)}`
}

function sourceOf({ resourceName, metadata }: GoogleContact): ContactSource {
  if (resourceName.startsWith('otherContacts/')) return 'inbox'
  const types = metadata?.sources?.map(({ type }) => type) ?? []
  if (types.includes('CONTACT') || types.length === 0) return 'address_book'
  return types.includes('OTHER_CONTACT') ? 'inbox' : 'domain'
}

const text = (value: string | undefined): string | null => value || null

/** The lists of a contact. */
function listsOf(person: GoogleContact) {
  return {
    emails: (person.emailAddresses ?? []).flatMap(({ value, type }) =>
      value ? [{ email: value, ...placeOf(type) }] : [],
    ),
    phone_numbers: (person.phoneNumbers ?? []).flatMap(({ value, type }) =>
      value ? [{ number: value, ...phoneKind(type) }] : [],
    ),
    im_addresses: (person.imClients ?? []).flatMap(({ username, protocol, type }) => {
      const named = protocol ?? type
      return username ? [{ im_address: username, ...(named ? { type: named } : {}) }] : []
    }),
    physical_addresses: (person.addresses ?? []).map((address) => ({
      type: placeOf(address.type).type ?? 'other',
      street_address: text(address.streetAddress) ?? text(address.formattedValue),
      city: text(address.city),
      state: text(address.region),
      postal_code: text(address.postalCode),
      country: text(address.country) ?? text(address.countryCode),
    })),
    web_pages: (person.urls ?? []).flatMap(({ value, type }) => (value ? [{ url: value, ...placeOf(type) }] : [])),
    groups: (person.memberships ?? []).flatMap(({ contactGroupMembership: member }) => {
      const id = member?.contactGroupId ?? member?.contactGroupResourceName
      return id ? [{ id: groupId(id) }] : []
    }),
  }
}

/** Google generates a picture for a person without one. */
const photoOf = ({ photos = [] }: GoogleContact): string | undefined =>
  photos.find((photo) => photo.url && !photo.default)?.url

export function fromPerson(person: GoogleContact, grantId: string): Contact {
  const name = person.names?.[0]
  const job = person.organizations?.[0]
  const lists = listsOf(person)
  const photo = photoOf(person)
  const whole = [name?.givenName, name?.middleName, name?.familyName, name?.honorificSuffix]
    .filter((part) => part)
    .join(' ')
  return {
    id: contactId(person.resourceName),
    grant_id: grantId,
    object: 'contact',
    source: sourceOf(person),
    display_name: name?.displayName || whole || job?.name || lists.emails[0]?.email || '',
    given_name: text(name?.givenName),
    middle_name: text(name?.middleName),
    surname: text(name?.familyName),
    suffix: text(name?.honorificSuffix),
    nickname: text(person.nicknames?.[0]?.value),
    birthday: birthdayOf(person.birthdays?.find(({ date }) => date)?.date),
    company_name: text(job?.name),
    job_title: text(job?.title),
    manager_name: text(person.relations?.find(({ type }) => type?.toLowerCase() === 'manager')?.person),
    office_location: text(job?.location),
    notes: text(person.biographies?.[0]?.value),
    ...lists,
    ...(photo === undefined ? {} : { picture_url: photo }),
  }
}

/**
 * Replaces some members of the first entry of a list, which is the one that the API returns; null removes a member.
 */
function firstWith<T extends object>(before: readonly T[] | undefined, members: Record<string, unknown>): object[] {
  const [first, ...others] = before ?? []
  const merged = Object.entries({ ...first, ...members }).filter(([, value]) => value !== null && value !== undefined)
  const retained = merged.filter(([field]) => field !== 'metadata' && !field.startsWith('formatted'))
  return retained.length === 0 ? others : [Object.fromEntries(retained), ...others]
}

const given = (members: Record<string, string | null | undefined>): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([field, value]) => (value === undefined ? [] : [[field, value || null]])),
  )
const isGiven = (members: object): boolean => Object.keys(members).length > 0

function birthdaysOf(birthday: string | null): object[] {
  if (!birthday) return []
  const [year = 0, month, day] = birthday.split('-').map(Number)
  // An unknown year is written as 0. The day is checked in a leap year then.
  if (parseDate(year === 0 ? `2000${birthday.slice(4)}` : birthday) === undefined) {
    throw invalidField('birthday', 'is not a date of the calendar')
  }
  return [{ date: { ...(year === 0 ? {} : { year }), month, day } }]
}

const typed = (type: string | null | undefined): { type?: string } => (type ? { type } : {})

/** Contacts of the address book are always in `myContacts`, in addition to other groups. */
function membershipsOf(groups: NonNullable<ContactChange['groups']>): object[] {
  const ids = new Set(['myContacts', ...groups.map(({ id }) => groupId(id))])
  return [...ids].map((id) => ({ contactGroupMembership: { contactGroupResourceName: `contactGroups/${id}` } }))
}

/** The lists that the client sent; each replaces the current one. */
function listFields(change: ContactChange): Partial<GoogleContact> {
  const fields: Record<string, unknown> = {}
  const { emails, phone_numbers: phones, im_addresses: ims, physical_addresses: places, web_pages: pages } = change
  if (emails !== undefined)
    fields.emailAddresses = (emails ?? []).map(({ email, type }) => ({ value: email, ...typed(type) }))
  if (phones !== undefined) {
    fields.phoneNumbers = (phones ?? []).map(({ number, type }) => ({ value: number, ...typed(type) }))
  }
  if (ims !== undefined) {
    fields.imClients = (ims ?? []).map(({ im_address, type }) => ({
      username: im_address,
      ...(type ? { protocol: type } : {}),
    }))
  }
  if (places !== undefined) {
    fields.addresses = (places ?? []).map((place) => ({
      type: place.type,
      ...(place.street_address ? { streetAddress: place.street_address } : {}),
      ...(place.city ? { city: place.city } : {}),
      ...(place.state ? { region: place.state } : {}),
      ...(place.postal_code ? { postalCode: place.postal_code } : {}),
      ...(place.country ? { country: place.country } : {}),
    }))
  }
  if (pages !== undefined) fields.urls = (pages ?? []).map(({ url, type }) => ({ value: url, ...typed(type) }))
  if (change.groups !== undefined) fields.memberships = membershipsOf(change.groups ?? [])
  return fields
}

/** A change as Google accepts it, based on the current person. */
export function toPerson(change: ContactChange, before: Partial<GoogleContact> = {}): Partial<GoogleContact> {
  const fields: Record<string, unknown> = { ...listFields(change) }
  const name = given({
    givenName: change.given_name,
    middleName: change.middle_name,
    familyName: change.surname,
    honorificSuffix: change.suffix,
  })
  if (isGiven(name)) fields.names = firstWith(before.names, { ...name, displayName: null, ...unstructured })
  if (change.nickname !== undefined) fields.nicknames = firstWith(before.nicknames, given({ value: change.nickname }))
  const job = given({ name: change.company_name, title: change.job_title, location: change.office_location })
  if (isGiven(job)) fields.organizations = firstWith(before.organizations, job)
  if (change.birthday !== undefined) fields.birthdays = birthdaysOf(change.birthday)
  if (change.notes !== undefined) {
    fields.biographies = change.notes ? [{ value: change.notes, contentType: 'TEXT_PLAIN' }] : []
  }
  if (change.manager_name !== undefined) {
    const others = (before.relations ?? []).filter(({ type }) => type?.toLowerCase() !== 'manager')
    const retained = others.map(({ person, type }) => ({ person, type }))
    fields.relations = change.manager_name ? [{ person: change.manager_name, type: 'manager' }, ...retained] : retained
  }
  return fields
}

/** Names that Google derives from the others. */
const unstructured = { displayNameLastFirst: null, unstructuredName: null }

const groupTypes: Record<string, ContactGroup['group_type']> = {
  SYSTEM_CONTACT_GROUP: 'system',
  USER_CONTACT_GROUP: 'user',
}

export function fromGroup(group: GoogleGroup, grantId: string): ContactGroup {
  const id = groupId(group.resourceName)
  return {
    id,
    grant_id: grantId,
    object: 'contact_group',
    name: group.name ?? group.formattedName ?? '',
    group_type: groupTypes[group.groupType ?? ''] ?? 'other',
    path: group.resourceName,
  }
}
