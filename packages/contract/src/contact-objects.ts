/** Contacts in responses and requests. */
import { z } from 'zod'
import { GrantId, identifier, line } from './fields.ts'
import { limits } from './limits.ts'

export const ContactSource = z.enum(['address_book', 'inbox', 'domain']).meta({
  id: 'ContactSource',
  description: "`address_book`: saved by the user; `inbox`: seen in mail; `domain`: the organization's directory",
})
export type ContactSource = z.output<typeof ContactSource>

/** Some clients send these fields as numbers. */
const toText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value)
const numberText = (max: number) => z.preprocess(toText, line(max)) as unknown as z.ZodType<string, string | number>
/** Synonyms of the kinds in the contract, as clients and the previous API version write them. */
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
/** The type of a value. Clients send it as free text, also in capitals; it is optional. */
const Kind = z.preprocess(toKind, line(64).optional()).meta({
  type: 'string',
  maxLength: 64,
  description:
    '`work`, `home`, `mobile` or `other`. Other texts are passed to the provider and may be returned as `other`',
}) as unknown as z.ZodType<string | undefined, string | null | undefined>
const typed = {
  type: z.string().nullish().meta({
    description: '`work`, `home` or `other`, for numbers also `mobile`; absent if unknown',
  }),
}
const many = <T extends z.ZodType>(item: T) => z.array(item).max(limits.contactValues)

/** Descriptions of the text fields that are equal in requests and responses. */
const meanings = {
  given_name: 'First name',
  middle_name: 'Middle names',
  surname: 'Last name',
  suffix: 'Suffix of the name, such as `Jr.`',
  nickname: 'Nickname',
  company_name: 'Company or organization',
  job_title: 'Job title',
  manager_name: 'Name of the manager',
  office_location: 'Location of the office',
} as const
const known = (field: keyof typeof meanings) =>
  z
    .string()
    .nullable()
    .meta({ description: `${meanings[field]}; null if unknown` })
const given = (field: keyof typeof meanings) =>
  line(255)
    .nullish()
    .meta({ description: `${meanings[field]}; null clears it` })

export const Contact = z
  .object({
    id: z.string().meta({ description: 'Id of the contact' }),
    grant_id: GrantId,
    object: z.literal('contact').meta({ description: 'Object type: always `contact`' }),
    source: ContactSource,
    display_name: z.string().meta({
      description: 'Full display name; empty if there is no name',
    }),
    given_name: known('given_name'),
    middle_name: known('middle_name'),
    surname: known('surname'),
    suffix: known('suffix'),
    nickname: known('nickname'),
    birthday: z.string().nullable().meta({
      description: '`YYYY-MM-DD`, with year 0000 if the year is unknown; null if there is no birthday',
    }),
    company_name: known('company_name'),
    job_title: known('job_title'),
    manager_name: known('manager_name'),
    office_location: known('office_location'),
    notes: z.string().nullable().meta({ description: "The user's notes about the person; null if there are none" }),
    emails: z
      .array(z.object({ email: z.string().meta({ description: 'Email address' }), ...typed }))
      .meta({ description: 'Email addresses, preferred one first. Never null' }),
    phone_numbers: z
      .array(z.object({ number: z.string().meta({ description: 'The number as written' }), ...typed }))
      .meta({ description: 'Phone numbers. Never null' }),
    im_addresses: z
      .array(
        z.object({
          im_address: z.string().meta({ description: 'User name or address in the service' }),
          type: z.string().nullish().meta({ description: 'Name of the service, such as `jabber`' }),
        }),
      )
      .meta({ description: 'Instant messaging addresses. Never null' }),
    physical_addresses: z
      .array(
        z.object({
          ...typed,
          street_address: z.string().nullish().meta({ description: 'Street and number; can have several lines' }),
          city: z.string().nullish().meta({ description: 'City' }),
          state: z.string().nullish().meta({ description: 'State, province or county' }),
          postal_code: z.string().nullish().meta({ description: 'Postal code, as a string' }),
          country: z.string().nullish().meta({ description: 'Country, as a name or code' }),
        }),
      )
      .meta({ description: 'Postal addresses. Never null' }),
    web_pages: z
      .array(z.object({ url: z.string().meta({ description: 'URL of the page' }), ...typed }))
      .meta({ description: 'Web pages of the person. Never null' }),
    groups: z
      .array(z.object({ id: z.string().meta({ description: 'Id of the group' }) }))
      .meta({ description: 'Groups of the contact. Never null' }),
    picture_url: z.string().optional().meta({
      description:
        "Present if the contact has a picture. The URL may require the account's credentials; use `profile_picture=true` to read the picture",
    }),
    picture: z.string().optional().meta({ description: 'Base64 data: URI; only with `profile_picture=true`' }),
  })
  .meta({ id: 'Contact', description: "A person or company in the account's contacts" })
export type Contact = z.output<typeof Contact>

const fewer = 'The maximum differs by provider: one for IMAP, three of most kinds for Microsoft and Exchange'

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
      .meta({ description: '`YYYY-MM-DD`, with year 0000 if the year is unknown; null clears it' }),
    company_name: given('company_name'),
    job_title: given('job_title'),
    manager_name: given('manager_name'),
    office_location: given('office_location'),
    notes: z.string().max(65_535).nullish().meta({ description: 'Notes about the person; null clears them' }),
    emails: many(z.object({ email: line(255).min(1).meta({ description: 'Email address' }), type: Kind }))
      .nullish()
      .meta({
        description: `Email addresses. The list replaces the stored one; \`[]\` and null clear it. ${fewer}`,
      }),
    phone_numbers: many(
      z.object({
        number: numberText(64).meta({ description: 'The number in any notation' }),
        type: Kind,
      }),
    )
      .nullish()
      .meta({ description: `Phone numbers. The list replaces the stored one. ${fewer}` }),
    im_addresses: many(
      z.object({
        im_address: line(255).min(1).meta({ description: 'User name or address in the service' }),
        type: line(64).nullish().meta({ description: 'Name of the service, such as `jabber`' }),
      }),
    )
      .nullish()
      .meta({ description: `Instant messaging addresses. The list replaces the stored one. ${fewer}` }),
    physical_addresses: many(
      z.object({
        type: Kind,
        format: line(64)
          .nullish()
          .meta({ description: 'Accepted without effect: the parts of the address are stored' }),
        street_address: z
          .string()
          .max(1024)
          .nullish()
          .meta({ description: 'Street and number; can have several lines' }),
        city: line(255).nullish().meta({ description: 'City' }),
        state: line(255).nullish().meta({ description: 'State, province or county' }),
        postal_code: numberText(64).nullish().meta({ description: 'Postal code; a number is converted to a string' }),
        country: line(255).nullish().meta({ description: 'Country, as a name or code' }),
      }),
    )
      .nullish()
      .meta({ description: `Postal addresses. The list replaces the stored one. ${fewer}` }),
    web_pages: many(z.object({ url: line(2048).min(1).meta({ description: 'URL of the page' }), type: Kind }))
      .nullish()
      .meta({ description: `Web pages of the person. The list replaces the stored one. ${fewer}` }),
    groups: many(z.object({ id: identifier(255).meta({ description: 'Id of the group' }) }))
      .nullish()
      .meta({
        description:
          'Groups of the contact. The list replaces the stored one; at most one for IMAP, Microsoft and Exchange',
      }),
    picture: z
      .string()
      .max(limits.contactPictureLength)
      .nullish()
      .meta({ description: 'Base64, or a base64 data: URI; null removes the picture' }),
    display_name: line(1024).nullish().meta({ description: 'Accepted without effect: it is derived from the names' }),
    source: line(64)
      .nullish()
      .meta({ description: 'Accepted without effect: contacts are always written to the address book' }),
    picture_url: z.string().max(2048).nullish().meta({ description: 'Accepted without effect: write `picture`' }),
  })
  .meta({
    id: 'ContactDraft',
    description: 'A new contact. At least one of `given_name`, `surname`, `company_name` and `emails` is required',
  })
export type ContactDraft = z.output<typeof ContactDraft>

export const ContactChange = ContactDraft.partial().meta({
  id: 'ContactChange',
  description: 'Changes to a contact. Absent fields stay unchanged, lists are replaced as a whole, null clears a field',
})
export type ContactChange = z.output<typeof ContactChange>
