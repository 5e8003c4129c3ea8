/** The answers of the People API, as far as they are read here (https://developers.google.com/people/api/rest). */

import { flag, list, number, object, type Read, text, textThat } from '@waypost/platform/json/reader'
import { providerReason, providerStatus } from '../../shared/refusal.ts'

const typed = { type: text }

const googleDate = object({}, { year: number, month: number, day: number })
export type GoogleDate = Read<typeof googleDate>

const personSource = object({}, { type: text, id: text, etag: text, updateTime: text })
const personMetadata = object({}, { sources: list(personSource), deleted: flag })

const personName = object(
  {},
  {
    displayName: text,
    givenName: text,
    middleName: text,
    familyName: text,
    honorificPrefix: text,
    honorificSuffix: text,
  },
)
const address = object(
  {},
  {
    ...typed,
    formattedValue: text,
    streetAddress: text,
    city: text,
    region: text,
    postalCode: text,
    country: text,
    countryCode: text,
  },
)
const groupMembership = object({}, { contactGroupId: text, contactGroupResourceName: text })

export const googleContact = object(
  { resourceName: textThat((value) => /^(?:people|otherContacts)\/./.test(value), 'name of a person') },
  {
    etag: text,
    metadata: personMetadata,
    names: list(personName),
    nicknames: list(object({}, { ...typed, value: text })),
    birthdays: list(object({}, { date: googleDate, text })),
    organizations: list(object({}, { name: text, title: text, location: text })),
    relations: list(object({}, { ...typed, person: text })),
    biographies: list(object({}, { value: text, contentType: text })),
    emailAddresses: list(object({}, { ...typed, value: text })),
    phoneNumbers: list(object({}, { ...typed, value: text, canonicalForm: text })),
    imClients: list(object({}, { ...typed, username: text, protocol: text })),
    addresses: list(address),
    urls: list(object({}, { ...typed, value: text })),
    memberships: list(object({}, { contactGroupMembership: groupMembership })),
    photos: list(object({}, { url: text, default: flag })),
  },
)
export type GoogleContact = Read<typeof googleContact>

/** A contact of which only the change date is requested. */
export const contactDates = object({}, { metadata: personMetadata })
export type ContactDates = Read<typeof contactDates>

export const googleGroup = object(
  { resourceName: textThat((value) => /^contactGroups\/./.test(value), 'name of a group') },
  { etag: text, name: text, formattedName: text, groupType: text, metadata: object({}, { deleted: flag }) },
)
export type GoogleGroup = Read<typeof googleGroup>

/** The fields that are requested of a contact of the address book. */
export const personFields = [
  'metadata,names,nicknames,birthdays,organizations,relations,biographies,emailAddresses,phoneNumbers',
  'imClients,addresses,urls,memberships,photos',
].join(',')

/** The fields that Google returns of contacts known only from mail. */
export const otherFields = 'metadata,names,emailAddresses,phoneNumbers,photos'

export const groupFields = 'name,groupType,metadata'

/** Google answers 400 for a malformed id, which means that there is no such object. */
export const isInvalidId = (error: unknown): boolean =>
  providerStatus(error) === 400 && /INVALID_ARGUMENT|badRequest|invalid/i.test(providerReason(error))
