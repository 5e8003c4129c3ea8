/** What the contact suite needs from a provider: an account without contacts, and the provider's missing features. */
import type { Call, Fields } from './accounts.ts'

/** Features that a provider may lack. Their tests are left out; the rest applies to every provider. */
export type ContactLack =
  /** There are no groups of contacts. */
  | 'groups'
  /** Groups belong to the provider and cannot be written. */
  | 'group-writing'
  /** A contact has only one value of each list. */
  | 'several-values'
  | 'pictures'
  /** A picture can be replaced, but not removed. */
  | 'picture-removal'
  /** Contacts that are only gathered from mail. */
  | 'inbox'
  | 'phone-filter'

export interface OpenContacts extends AsyncDisposable {
  /** Calls on behalf of the account's application. */
  call: Call
  grantId: string
  email: string
  /** Adds a contact that the account gathers from mail. */
  knowFromMail(person: { name: string; email: string }): Promise<void>
}

export interface ContactSubject {
  name: string
  lacks?: readonly ContactLack[]
  /** Fields of a contact that the provider does not store. */
  keepsNot?: readonly string[]
  /** Lists whose value types the provider does not store. */
  untyped?: readonly string[]
  open(): Promise<OpenContacts>
}

/** A contact with every writable field. */
export const wholeContact: Fields = {
  given_name: 'Ada',
  middle_name: 'King',
  surname: 'Lovelace',
  suffix: 'Jr',
  nickname: 'Countess',
  birthday: '1815-12-10',
  company_name: 'Analytical Engines',
  job_title: 'Analyst',
  manager_name: 'Charles Babbage',
  office_location: 'London',
  notes: 'Wrote the first programme.\nLikes numbers.',
  emails: [{ email: 'ada@engines.test', type: 'work' }],
  phone_numbers: [{ number: '+44 20 7946 0000', type: 'work' }],
  im_addresses: [{ im_address: 'ada', type: 'jabber' }],
  physical_addresses: [
    {
      type: 'work',
      street_address: '1 Dorset Street',
      city: 'London',
      state: 'England',
      postal_code: 'W1U 4EG',
      country: 'United Kingdom',
    },
  ],
  web_pages: [{ url: 'https://engines.test', type: 'work' }],
}
