/** What the People API answers with, as far as it is read here (https://developers.google.com/people/api/rest). */

interface Typed {
  type?: string
}

export interface GoogleDate {
  year?: number
  month?: number
  day?: number
}

export interface GooglePersonSource {
  type?: string
  id?: string
  etag?: string
  updateTime?: string
}

export interface GoogleContact {
  resourceName?: string
  etag?: string
  metadata?: { sources?: GooglePersonSource[]; deleted?: boolean }
  names?: {
    displayName?: string
    givenName?: string
    middleName?: string
    familyName?: string
    honorificPrefix?: string
    honorificSuffix?: string
  }[]
  nicknames?: { value?: string; type?: string }[]
  birthdays?: { date?: GoogleDate; text?: string }[]
  organizations?: { name?: string; title?: string; location?: string; [field: string]: unknown }[]
  relations?: ({ person?: string } & Typed)[]
  biographies?: { value?: string; contentType?: string }[]
  emailAddresses?: ({ value?: string } & Typed)[]
  phoneNumbers?: ({ value?: string; canonicalForm?: string } & Typed)[]
  imClients?: ({ username?: string; protocol?: string } & Typed)[]
  addresses?: ({
    formattedValue?: string
    streetAddress?: string
    city?: string
    region?: string
    postalCode?: string
    country?: string
    countryCode?: string
  } & Typed)[]
  urls?: ({ value?: string } & Typed)[]
  memberships?: { contactGroupMembership?: { contactGroupId?: string; contactGroupResourceName?: string } }[]
  photos?: { url?: string; default?: boolean }[]
}

export interface GoogleGroup {
  resourceName?: string
  etag?: string
  name?: string
  formattedName?: string
  groupType?: string
  metadata?: { deleted?: boolean }
}

/** What is asked for of a contact of the address book. */
export const personFields = [
  'metadata,names,nicknames,birthdays,organizations,relations,biographies,emailAddresses,phoneNumbers',
  'imClients,addresses,urls,memberships,photos',
].join(',')

/** What Google tells of those who are only known from mail. */
export const otherFields = 'metadata,names,emailAddresses,phoneNumbers,photos'

export const groupFields = 'name,groupType,metadata'
