/** A contact as it is answered and as it is written. */
import { z } from 'zod'
import { GrantId, identifier, line } from './fields.ts'
import { limits } from './limits.ts'

export const ContactSource = z.enum(['address_book', 'inbox', 'domain']).meta({
  id: 'ContactSource',
  description:
    '`address_book`: what the user keeps; `inbox`: known from mail; `domain`: the directory of the organisation',
})
export type ContactSource = z.output<typeof ContactSource>

/** Clients write some numbers as numbers. */
const toText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value)
const numberText = (most: number) => z.preprocess(toText, line(most)) as unknown as z.ZodType<string, string | number>
/** Other words for the kinds that the contract names, as clients and the version before write them. */
const sameKinds: Readonly<Record<string, string>> = {
  business: 'work',
  personal: 'home',
  cell: 'mobile',
  cellphone: 'mobile',
}
const kinds = ['work', 'home', 'mobile', 'other']
const toKind = (value: unknown): unknown => {
  if (typeof value !== 'string') return value ?? undefined
  const name = value.trim().toLowerCase()
  if (name === '') return undefined
  return kinds.includes(name) ? name : (sameKinds[name] ?? value.trim())
}
/** What a value is for. Clients have it as a free text and write it in capitals too; without one it is nothing in particular. */
const Kind = z.preprocess(toKind, line(64).optional()).meta({
  type: 'string',
  maxLength: 64,
  description:
    '`work`, `home`, `mobile` or `other`; another word is given to the provider, and may be answered as `other`',
}) as unknown as z.ZodType<string | undefined, string | null | undefined>
const typed = {
  type: z.string().nullish().meta({
    description: 'What it is for: `work`, `home` or `other`, of numbers also `mobile`; left out where it is not said',
  }),
}
const many = <T extends z.ZodType>(item: T) => z.array(item).max(limits.contactValues)

/** The texts of a contact that are read and written alike, by what they mean. */
const meanings = {
  given_name: 'First name',
  middle_name: 'Names between the first and the last',
  surname: 'Last name',
  suffix: 'What stands behind the name, such as `Jr.`',
  nickname: 'Name that friends use',
  company_name: 'The company or organisation',
  job_title: 'The position there',
  manager_name: 'Name of the manager',
  office_location: 'Where the office is',
} as const
const known = (field: keyof typeof meanings) =>
  z
    .string()
    .nullable()
    .meta({ description: `${meanings[field]}; null where it is not known` })
const given = (field: keyof typeof meanings) =>
  line(255)
    .nullish()
    .meta({ description: `${meanings[field]}; null clears it` })

export const Contact = z
  .object({
    id: z.string().meta({ description: 'Id of the contact' }),
    grant_id: GrantId,
    object: z.literal('contact').meta({ description: 'What the object is: always `contact`' }),
    source: ContactSource,
    display_name: z.string().meta({
      description: 'The whole name as it is shown; empty where there is no name',
    }),
    given_name: known('given_name'),
    middle_name: known('middle_name'),
    surname: known('surname'),
    suffix: known('suffix'),
    nickname: known('nickname'),
    birthday: z.string().nullable().meta({
      description: '`YYYY-MM-DD`; the year is 0000 where it is not known, and the whole null where nothing is',
    }),
    company_name: known('company_name'),
    job_title: known('job_title'),
    manager_name: known('manager_name'),
    office_location: known('office_location'),
    notes: z.string().nullable().meta({ description: 'What the user wrote about the person; null where nothing' }),
    emails: z
      .array(z.object({ email: z.string().meta({ description: 'The address' }), ...typed }))
      .meta({ description: 'Mail addresses, the preferred one first. Never null' }),
    phone_numbers: z
      .array(z.object({ number: z.string().meta({ description: 'The number as it was written' }), ...typed }))
      .meta({ description: 'Telephone numbers. Never null' }),
    im_addresses: z
      .array(
        z.object({
          im_address: z.string().meta({ description: 'The name or address there' }),
          type: z.string().nullish().meta({ description: 'Which service it is at, such as `jabber`' }),
        }),
      )
      .meta({ description: 'Addresses of instant messaging. Never null' }),
    physical_addresses: z
      .array(
        z.object({
          ...typed,
          street_address: z.string().nullish().meta({ description: 'Street and number; may have several lines' }),
          city: z.string().nullish().meta({ description: 'Town' }),
          state: z.string().nullish().meta({ description: 'State, province or county' }),
          postal_code: z.string().nullish().meta({ description: 'Postal code, as a text' }),
          country: z.string().nullish().meta({ description: 'Country, as a name or a code' }),
        }),
      )
      .meta({ description: 'Postal addresses. Never null' }),
    web_pages: z
      .array(z.object({ url: z.string().meta({ description: 'Address of the page' }), ...typed }))
      .meta({ description: 'Pages of the person. Never null' }),
    groups: z
      .array(z.object({ id: z.string().meta({ description: 'Id of the group' }) }))
      .meta({ description: 'Groups that the contact is in. Never null' }),
    picture_url: z.string().optional().meta({
      description:
        'There where the contact has a picture. It may need the account’s own credentials: read the picture with `profile_picture=true`',
    }),
    picture: z.string().optional().meta({ description: 'A data: URI in base64; only with `profile_picture=true`' }),
  })
  .meta({ id: 'Contact', description: 'A person or company that the account knows' })
export type Contact = z.output<typeof Contact>

const fewer = 'How many there may be differs by provider: one at IMAP, three of most kinds at Microsoft and Exchange'

export const ContactDraft = z
  .object({
    given_name: given('given_name'),
    middle_name: given('middle_name'),
    surname: given('surname'),
    suffix: given('suffix'),
    nickname: given('nickname'),
    birthday: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a date such as 1990-11-15' })
      .nullish()
      .meta({ description: 'As `YYYY-MM-DD`, with the year 0000 where it is not known; null clears it' }),
    company_name: given('company_name'),
    job_title: given('job_title'),
    manager_name: given('manager_name'),
    office_location: given('office_location'),
    notes: z.string().max(65_535).nullish().meta({ description: 'Words about the person; null clears them' }),
    emails: many(z.object({ email: line(255).min(1).meta({ description: 'The address' }), type: Kind }))
      .nullish()
      .meta({
        description: `Mail addresses; the list replaces the one that is there, \`[]\` and null empty it. ${fewer}`,
      }),
    phone_numbers: many(
      z.object({
        number: numberText(64).meta({ description: 'The number, written as you like' }),
        type: Kind,
      }),
    )
      .nullish()
      .meta({ description: `Telephone numbers, as a whole list. ${fewer}` }),
    im_addresses: many(
      z.object({
        im_address: line(255).min(1).meta({ description: 'The name or address there' }),
        type: line(64).nullish().meta({ description: 'Which service it is at, such as `jabber`' }),
      }),
    )
      .nullish()
      .meta({ description: `Addresses of instant messaging, as a whole list. ${fewer}` }),
    physical_addresses: many(
      z.object({
        type: Kind,
        format: line(64).nullish().meta({ description: 'Taken without effect: the parts of the address are kept' }),
        street_address: z
          .string()
          .max(1024)
          .nullish()
          .meta({ description: 'Street and number; may have several lines' }),
        city: line(255).nullish().meta({ description: 'Town' }),
        state: line(255).nullish().meta({ description: 'State, province or county' }),
        postal_code: numberText(64).nullish().meta({ description: 'Postal code; a number is taken as its text' }),
        country: line(255).nullish().meta({ description: 'Country, as a name or a code' }),
      }),
    )
      .nullish()
      .meta({ description: `Postal addresses, as a whole list. ${fewer}` }),
    web_pages: many(z.object({ url: line(2048).min(1).meta({ description: 'Address of the page' }), type: Kind }))
      .nullish()
      .meta({ description: `Pages of the person, as a whole list. ${fewer}` }),
    groups: many(z.object({ id: identifier(255).meta({ description: 'Id of the group' }) }))
      .nullish()
      .meta({
        description:
          'Groups that the contact is to be in, as a whole list; one at most at IMAP, Microsoft and Exchange',
      }),
    picture: z
      .string()
      .max(limits.contactPictureLength)
      .nullish()
      .meta({ description: 'Base64, or a data: URI in base64; null takes it away' }),
    display_name: line(1024).nullish().meta({ description: 'Taken without effect: it is made of the names' }),
    source: line(64).nullish().meta({ description: 'Taken without effect: what is written is of the address book' }),
    picture_url: z.string().max(2048).nullish().meta({ description: 'Taken without effect: write `picture`' }),
  })
  .meta({
    id: 'ContactDraft',
    description: 'A contact to be made: at least one of `given_name`, `surname`, `company_name` and `emails` is needed',
  })
export type ContactDraft = z.output<typeof ContactDraft>

export const ContactChange = ContactDraft.partial().meta({
  id: 'ContactChange',
  description: 'What is to be another about a contact: what is left out stays, lists are replaced whole, null clears',
})
export type ContactChange = z.output<typeof ContactChange>
