import { z } from 'zod'
import { Contact, ContactChange, ContactDraft, ContactSource } from './contact-objects.ts'
import {
  booleanParam,
  cursorPaging,
  GrantId,
  identifierParam,
  line,
  listParam,
  selectParam,
  textParam,
} from './fields.ts'
import { route } from './route.ts'

const sourceNames: readonly string[] = ContactSource.options

export const ContactListQuery = z.object({
  email: textParam().meta({ description: 'Contacts that have this very address, in any case' }),
  phone_number: textParam().meta({ description: 'Contacts that have this number, however it is written' }),
  source: listParam()
    .refine((names) => names === undefined || names.every((one) => sourceNames.includes(one)), {
      error: `must be one of ${sourceNames.join(', ')}`,
    })
    .meta({
      type: 'array',
      items: { type: 'string', enum: sourceNames },
      description:
        'Where the contacts are from: `address_book` (default), `inbox` for those known from mail alone, `domain` for the directory. Several with commas between them at IMAP, iCloud and CardDAV',
    }),
  group: identifierParam().meta({ description: 'Contacts of the group with this id' }),
  recurse: booleanParam().meta({
    description:
      '`true` shows those of the groups within the group too, one level down: `microsoft`, `ews` and CardDAV',
  }),
  ...cursorPaging(30),
  ...selectParam,
})
export type ContactListQuery = z.output<typeof ContactListQuery>

export const ContactGroup = z
  .object({
    id: z.string().meta({ description: 'Id of the group, as in `groups` of contacts' }),
    grant_id: GrantId,
    object: z.literal('contact_group').meta({ description: 'What the object is: always `contact_group`' }),
    name: z.string().meta({ description: 'Name as the user sees it' }),
    group_type: z.enum(['system', 'user', 'other']).meta({
      description: '`system`: the provider has it for everybody, and it can be neither renamed nor deleted',
    }),
    path: z.string().meta({ description: 'Ids of the groups that it lies in and its own, with slashes between them' }),
  })
  .meta({ id: 'ContactGroup', description: 'A group of contacts; at Microsoft and Exchange a folder of contacts' })
export type ContactGroup = z.output<typeof ContactGroup>

export const ContactGroupDraft = z
  .object({
    name: line(255).min(1).meta({ description: 'Name of the group; one that is taken is answered with 409' }),
    path: line(1024).nullish().meta({ description: 'Taken without effect: the provider tells it' }),
  })
  .meta({ id: 'ContactGroupDraft', description: 'A group to be made, or its other name' })
export type ContactGroupDraft = z.output<typeof ContactGroupDraft>

export const ContactGroupListQuery = z.object({ ...cursorPaging(), ...selectParam })
export type ContactGroupListQuery = z.output<typeof ContactGroupListQuery>

const at = '/v3/grants/:grant_id/contacts'

export const contactGroups = {
  list: route({
    method: 'GET',
    path: `${at}/groups`,
    summary: 'List the groups of contacts',
    description:
      'Groups of the user and those of the system; at Microsoft and Exchange these are the folders of contacts.',
    audience: 'grant',
    query: ContactGroupListQuery,
    returns: ContactGroup,
    list: 'cursor',
  }),
  create: route({
    method: 'POST',
    path: `${at}/groups`,
    summary: 'Create a group of contacts',
    description: 'An empty group. Contacts are put into it by their `groups`.',
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
    description: 'One group by its id. Its contacts are listed with `group=<id>`.',
    audience: 'grant',
    query: z.object(selectParam),
    returns: ContactGroup,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PUT',
    path: `${at}/groups/:group_id`,
    summary: 'Rename a group of contacts',
    description:
      'Gives a group of the user another name; groups of the system keep theirs. The id of a category at CardDAV changes with its name.',
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
    description: 'Its contacts stay. Groups of the system cannot be deleted.',
    audience: 'grant',
    errors: ['not_found'],
  }),
}

export const contacts = {
  list: route({
    method: 'GET',
    path: at,
    summary: 'List contacts',
    description:
      'The address book, unless `source` says otherwise. Mailboxes at IMAP servers have an address book that the service keeps for them.',
    audience: 'grant',
    query: ContactListQuery,
    returns: Contact,
    list: 'cursor',
  }),
  create: route({
    method: 'POST',
    path: at,
    summary: 'Create a contact',
    description:
      'A contact of the address book. At least one of `given_name`, `surname`, `company_name` and `emails` is needed; more values than the provider keeps are refused with 400.',
    audience: 'grant',
    query: z.object(selectParam),
    body: ContactDraft,
    returns: Contact,
  }),
  get: route({
    method: 'GET',
    path: `${at}/:contact_id`,
    summary: 'Get one contact',
    description: 'One contact by its id, of whichever source; its picture only where it is asked for.',
    audience: 'grant',
    query: z.object({
      profile_picture: booleanParam().meta({
        description: '`true` answers with the picture in `picture`, where the contact has one. Default: `false`',
      }),
      ...selectParam,
    }),
    returns: Contact,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PUT',
    path: `${at}/:contact_id`,
    summary: 'Change a contact',
    description:
      'Of the address book only. What is left out stays, lists are replaced as a whole, and what the provider knows beside these fields stays too.',
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
    description: 'Of the address book only; contacts that are known from mail or the directory are refused with 400.',
    audience: 'grant',
    errors: ['not_found'],
  }),
}
