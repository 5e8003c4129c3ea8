import { z } from 'zod'
import {
  booleanParam,
  cursorPaging,
  Id,
  identifier,
  identifierParam,
  line,
  listParam,
  selectParam,
  textParam,
} from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

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
const typed = { type: z.string().nullish() }
const many = <T extends z.ZodType>(item: T) => z.array(item).max(limits.contactValues)

export const Contact = z
  .object({
    id: z.string(),
    grant_id: Id,
    object: z.literal('contact'),
    source: ContactSource,
    display_name: z.string().meta({ description: 'Empty where there is no name' }),
    given_name: z.string().nullable(),
    middle_name: z.string().nullable(),
    surname: z.string().nullable(),
    suffix: z.string().nullable(),
    nickname: z.string().nullable(),
    birthday: z.string().nullable().meta({ description: '`YYYY-MM-DD`; the year is 0000 where it is not known' }),
    company_name: z.string().nullable(),
    job_title: z.string().nullable(),
    manager_name: z.string().nullable(),
    office_location: z.string().nullable(),
    notes: z.string().nullable(),
    emails: z.array(z.object({ email: z.string(), ...typed })),
    phone_numbers: z.array(z.object({ number: z.string(), ...typed })),
    im_addresses: z.array(z.object({ im_address: z.string(), ...typed })),
    physical_addresses: z.array(
      z.object({
        ...typed,
        street_address: z.string().nullish(),
        city: z.string().nullish(),
        state: z.string().nullish(),
        postal_code: z.string().nullish(),
        country: z.string().nullish(),
      }),
    ),
    web_pages: z.array(z.object({ url: z.string(), ...typed })),
    groups: z.array(z.object({ id: z.string() })),
    picture_url: z.string().optional(),
    picture: z.string().optional().meta({ description: 'A data: URI in base64; only with `profile_picture=true`' }),
  })
  .meta({ id: 'Contact' })
export type Contact = z.output<typeof Contact>

const name = () => line(255).nullish()

export const ContactDraft = z
  .object({
    given_name: name(),
    middle_name: name(),
    surname: name(),
    suffix: name(),
    nickname: name(),
    birthday: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a date such as 1990-11-15' })
      .nullish(),
    company_name: name(),
    job_title: name(),
    manager_name: name(),
    office_location: name(),
    notes: z.string().max(65_535).nullish(),
    emails: many(z.object({ email: line(255).min(1), type: Kind })).nullish(),
    phone_numbers: many(
      z.object({
        number: numberText(64),
        type: Kind,
      }),
    ).nullish(),
    im_addresses: many(z.object({ im_address: line(255).min(1), type: line(64).nullish() })).nullish(),
    physical_addresses: many(
      z.object({
        type: Kind,
        format: line(64).nullish().meta({ description: 'Tolerated' }),
        street_address: z.string().max(1024).nullish(),
        city: name(),
        state: name(),
        postal_code: numberText(64).nullish(),
        country: name(),
      }),
    ).nullish(),
    web_pages: many(z.object({ url: line(2048).min(1), type: Kind })).nullish(),
    groups: many(z.object({ id: identifier(255) })).nullish(),
    picture: z
      .string()
      .max(limits.contactPictureLength)
      .nullish()
      .meta({ description: 'Base64, or a data: URI in base64; null takes it away' }),
    display_name: line(1024).nullish().meta({ description: 'Tolerated; made of the names' }),
    source: line(64).nullish().meta({ description: 'Tolerated; what is written is of the address book' }),
    picture_url: z.string().max(2048).nullish().meta({ description: 'Tolerated; not writable' }),
  })
  .meta({ id: 'ContactDraft' })
export type ContactDraft = z.output<typeof ContactDraft>

export const ContactChange = ContactDraft.partial().meta({ id: 'ContactChange' })
export type ContactChange = z.output<typeof ContactChange>

const sourceNames: readonly string[] = ContactSource.options

export const ContactListQuery = z.object({
  email: textParam().meta({ description: 'Contacts that have this address' }),
  phone_number: textParam().meta({ description: 'Contacts that have this number, however it is written' }),
  source: listParam()
    .refine((names) => names === undefined || names.every((one) => sourceNames.includes(one)), {
      error: `must be one of ${sourceNames.join(', ')}`,
    })
    .meta({ type: 'array', items: { type: 'string', enum: sourceNames }, description: 'Default: `address_book`' }),
  group: identifierParam().meta({ description: 'Contacts of the group with this id' }),
  recurse: booleanParam().meta({ description: '`microsoft`: also those of the groups within it' }),
  ...cursorPaging(30),
  ...selectParam,
})
export type ContactListQuery = z.output<typeof ContactListQuery>

export const ContactGroup = z
  .object({
    id: z.string(),
    grant_id: Id,
    object: z.literal('contact_group'),
    name: z.string(),
    group_type: z.enum(['system', 'user', 'other']),
    path: z.string(),
  })
  .meta({ id: 'ContactGroup' })
export type ContactGroup = z.output<typeof ContactGroup>

export const ContactGroupDraft = z
  .object({ name: line(255).min(1), path: line(1024).nullish().meta({ description: 'Tolerated; not writable' }) })
  .meta({ id: 'ContactGroupDraft' })
export type ContactGroupDraft = z.output<typeof ContactGroupDraft>

export const ContactGroupListQuery = z.object({ ...cursorPaging(), ...selectParam })
export type ContactGroupListQuery = z.output<typeof ContactGroupListQuery>

const at = '/v3/grants/:grant_id/contacts'

export const contactGroups = {
  list: route({
    method: 'GET',
    path: `${at}/groups`,
    summary: 'List the groups of contacts',
    audience: 'grant',
    query: ContactGroupListQuery,
    returns: ContactGroup,
    list: 'cursor',
  }),
  create: route({
    method: 'POST',
    path: `${at}/groups`,
    summary: 'Create a group of contacts',
    audience: 'grant',
    query: z.object(selectParam),
    body: ContactGroupDraft,
    returns: ContactGroup,
    errors: ['conflict'],
  }),
  get: route({
    method: 'GET',
    path: `${at}/groups/:group_id`,
    summary: 'Get one group of contacts',
    audience: 'grant',
    query: z.object(selectParam),
    returns: ContactGroup,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PUT',
    path: `${at}/groups/:group_id`,
    summary: 'Rename a group of contacts',
    audience: 'grant',
    query: z.object(selectParam),
    body: ContactGroupDraft,
    returns: ContactGroup,
    errors: ['not_found', 'conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: `${at}/groups/:group_id`,
    summary: 'Delete a group of contacts',
    description: 'Its contacts stay.',
    audience: 'grant',
    errors: ['not_found'],
  }),
}

export const contacts = {
  list: route({
    method: 'GET',
    path: at,
    summary: 'List contacts',
    audience: 'grant',
    query: ContactListQuery,
    returns: Contact,
    list: 'cursor',
  }),
  create: route({
    method: 'POST',
    path: at,
    summary: 'Create a contact',
    description: 'At least one of `given_name`, `surname`, `company_name` and `emails` is needed.',
    audience: 'grant',
    query: z.object(selectParam),
    body: ContactDraft,
    returns: Contact,
  }),
  get: route({
    method: 'GET',
    path: `${at}/:contact_id`,
    summary: 'Get one contact',
    audience: 'grant',
    query: z.object({
      profile_picture: booleanParam().meta({ description: 'true: with its picture, where it has one' }),
      ...selectParam,
    }),
    returns: Contact,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PUT',
    path: `${at}/:contact_id`,
    summary: 'Change a contact',
    description: 'Of the address book only. Lists are replaced as a whole.',
    audience: 'grant',
    query: z.object(selectParam),
    body: ContactChange,
    returns: Contact,
    errors: ['not_found', 'conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: `${at}/:contact_id`,
    summary: 'Delete a contact',
    audience: 'grant',
    errors: ['not_found'],
  }),
}
