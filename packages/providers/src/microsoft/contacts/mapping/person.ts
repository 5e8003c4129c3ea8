/** Maps people that Graph knows from mail and from the directory to contacts. Pure. */
import type { Contact, ContactSource } from '@waypost/contract'
import { emptyContact } from '../../../contacts/outlook.ts'
import type { GraphPerson, GraphUser } from '../contacts-api.ts'

/** Their ids show that they are not contacts of the address book. */
const personMark = 'person-'
const userMark = 'user-'

/** The source that an id belongs to. */
export interface KnownId {
  kind: 'contact' | 'person' | 'user'
  id: string
}

export function readContactId(id: string): KnownId {
  if (id.startsWith(personMark)) return { kind: 'person', id: id.slice(personMark.length) }
  if (id.startsWith(userMark)) return { kind: 'user', id: id.slice(userMark.length) }
  return { kind: 'contact', id }
}

const text = (value: string | undefined): string | null => value || null

/**
 * The types of people (https://learn.microsoft.com/graph/api/resources/person). Those of the address book are in its
 * own list.
 */
const sources: Readonly<Record<string, ContactSource>> = {
  OrganizationUser: 'domain',
  OrganizationContact: 'domain',
  ImplicitContact: 'inbox',
}

/** The source of a person; undefined for one of the address book, and for an entry that is not a person. */
export const sourceOfPerson = ({ personType: type }: GraphPerson): ContactSource | undefined =>
  type?.class === 'Person' ? sources[type.subclass ?? ''] : undefined

const phoneKinds: Readonly<Record<string, string>> = { business: 'work', home: 'home', mobile: 'mobile' }

export function fromPerson(person: GraphPerson, grantId: string): Contact {
  const emails = (person.scoredEmailAddresses ?? []).flatMap(({ address }) => (address ? [{ email: address }] : []))
  return {
    ...emptyContact,
    id: `${personMark}${person.id}`,
    grant_id: grantId,
    object: 'contact',
    source: sourceOfPerson(person) ?? 'inbox',
    display_name: person.displayName || emails[0]?.email || '',
    given_name: text(person.givenName),
    surname: text(person.surname),
    company_name: text(person.companyName),
    job_title: text(person.jobTitle),
    office_location: text(person.officeLocation),
    emails,
    phone_numbers: (person.phones ?? []).flatMap(({ type, number }) =>
      number ? [{ number, type: phoneKinds[type ?? ''] ?? 'other' }] : [],
    ),
  }
}

export function fromUser(user: GraphUser, grantId: string): Contact {
  const email = user.mail || user.userPrincipalName
  const { businessPhones = [], mobilePhone } = user
  return {
    ...emptyContact,
    id: `${userMark}${user.id}`,
    grant_id: grantId,
    object: 'contact',
    source: 'domain',
    display_name: user.displayName || email || '',
    given_name: text(user.givenName),
    surname: text(user.surname),
    job_title: text(user.jobTitle),
    office_location: text(user.officeLocation),
    emails: email ? [{ email }] : [],
    phone_numbers: [
      ...businessPhones.map((number) => ({ number, type: 'work' })),
      ...(mobilePhone ? [{ number: mobilePhone, type: 'mobile' }] : []),
    ],
  }
}
