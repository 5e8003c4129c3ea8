/** People whom Graph knows from mail and from the directory, as contacts. Pure. */
import type { Contact, ContactSource } from '@waypost/contract'
import { emptyContact } from '../../../contacts/outlook.ts'
import type { GraphPerson, GraphUser } from '../contacts-api.ts'

/** They are no contacts of the address book, which their ids say. */
const personMark = 'person-'
const userMark = 'user-'

/** Where what an id stands for is looked for. */
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

/** The kinds of people (https://learn.microsoft.com/graph/api/resources/person); those of the address book are listed there. */
const sources: Readonly<Record<string, ContactSource>> = {
  OrganizationUser: 'domain',
  OrganizationContact: 'domain',
  ImplicitContact: 'inbox',
}

/** Where a person is known from; undefined for one of the address book, and for what is no person. */
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
