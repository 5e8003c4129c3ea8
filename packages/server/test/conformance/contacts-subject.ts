/** What the suite of contacts needs of a provider: an account without contacts, and what the provider cannot do. */
import type { Call, Fields } from './accounts.ts'

/** What a provider may lack; the tests of it are left out, and the rest holds for everybody. */
export type ContactLack =
  /** There are no groups of contacts. */
  | 'groups'
  /** Groups are the provider's own and cannot be written. */
  | 'group-writing'
  /** Of each list a contact has one value only. */
  | 'several-values'
  | 'pictures'
  /** A picture is replaced, and not removed. */
  | 'picture-removal'
  /** Contacts that are only known from mail. */
  | 'inbox'
  | 'phone-filter'

export interface OpenContacts extends AsyncDisposable {
  /** Calls in the name of the application that the account belongs to. */
  call: Call
  grantId: string
  email: string
  /** Lets the account know somebody from mail. */
  knowFromMail(person: { name: string; email: string }): Promise<void>
}

export interface ContactSubject {
  name: string
  lacks?: readonly ContactLack[]
  /** Fields of a contact that the provider does not keep. */
  keepsNot?: readonly string[]
  /** Lists of which the provider does not keep what their values are for. */
  untyped?: readonly string[]
  open(): Promise<OpenContacts>
}

/** A contact with everything that can be written. */
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
