import { z } from 'zod'
import { Contact, ContactChange, ContactDraft, ContactSource } from './contact-objects.ts'
import {
  booleanParam,
  choiceParam,
  cursorPaging,
  exportPaging,
  GrantId,
  identifierParam,
  line,
  listParam,
  selectParam,
  textParam,
} from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

const sourceNames: readonly string[] = ContactSource.options

/** Which contacts of an account are meant. */
const chosen = {
  source: listParam()
    .refine((names) => names === undefined || names.every((one) => sourceNames.includes(one)), {
      error: `must be one of ${sourceNames.join(', ')}`,
    })
    .meta({
      type: 'array',
      items: { type: 'string', enum: sourceNames },
      description:
        'Source of the contacts: `address_book` (default), `inbox` for contacts seen only in mail, `domain` for the directory. IMAP, iCloud and CardDAV accept several, comma-separated',
    }),
  group: identifierParam().meta({ description: 'Only contacts in the group with this id' }),
  recurse: booleanParam().meta({
    description: '`true` includes contacts of direct subgroups: `microsoft`, `ews` and CardDAV',
  }),
}

export const ContactListQuery = z.object({
  email: textParam().meta({ description: 'Only contacts with exactly this address, ignoring case' }),
  phone_number: textParam().meta({ description: 'Only contacts with this number, in any notation' }),
  ...chosen,
  ...cursorPaging(30),
  ...selectParam,
})
export type ContactListQuery = z.output<typeof ContactListQuery>

export const ContactExportFormats = ['vcf', 'ndjson'] as const
export type ContactExportFormat = (typeof ContactExportFormats)[number]
export const VCardVersions = ['3.0', '4.0'] as const
export type VCardVersion = (typeof VCardVersions)[number]

export const ContactExportQuery = z.object({
  format: choiceParam(ContactExportFormats).meta({
    description: '`vcf` (default): vCards, without pictures; `ndjson`: one contact object per line',
  }),
  version: choiceParam(VCardVersions).meta({
    description: 'Version of the vCards: `3.0` (default), which nearly all programs read, or `4.0`',
  }),
  ...chosen,
  ...exportPaging(100, limits.pageMax),
})
export type ContactExportQuery = z.output<typeof ContactExportQuery>

export const ContactGroup = z
  .object({
    id: z.string().meta({ description: 'Id of the group, as in `groups` of contacts' }),
    grant_id: GrantId,
    object: z.literal('contact_group').meta({ description: 'Object type: always `contact_group`' }),
    name: z.string().meta({ description: 'Name shown to the user' }),
    group_type: z.enum(['system', 'user', 'other']).meta({
      description: '`system`: provided for all users; it cannot be renamed or deleted',
    }),
    path: z.string().meta({ description: 'Ids of its parent groups and its own id, separated by slashes' }),
  })
  .meta({ id: 'ContactGroup', description: 'A contact group; for Microsoft and Exchange a contact folder' })
export type ContactGroup = z.output<typeof ContactGroup>

export const ContactGroupDraft = z
  .object({
    name: line(255).min(1).meta({ description: 'Name of the group; a name that is already used fails with 409' }),
    path: line(1024).nullish().meta({ description: 'Accepted without effect: the provider determines it' }),
  })
  .meta({ id: 'ContactGroupDraft', description: 'A new group, or its new name' })
export type ContactGroupDraft = z.output<typeof ContactGroupDraft>

export const ContactGroupListQuery = z.object({ ...cursorPaging(), ...selectParam })
export type ContactGroupListQuery = z.output<typeof ContactGroupListQuery>

const at = '/v3/grants/:grant_id/contacts'

export const contactGroups = {
  list: route({
    right: 'contacts.read',
    method: 'GET',
    path: `${at}/groups`,
    summary: 'List contact groups',
    description: 'Returns user and system groups; for Microsoft and Exchange the contact folders.',
    audience: 'grant',
    query: ContactGroupListQuery,
    returns: ContactGroup,
    list: 'cursor',
  }),
  create: route({
    right: 'contacts.write',
    method: 'POST',
    path: `${at}/groups`,
    summary: 'Create a contact group',
    description: 'Creates an empty group. Add contacts to it with their `groups`.',
    audience: 'grant',
    query: z.object(selectParam),
    body: ContactGroupDraft,
    returns: ContactGroup,
    errors: ['conflict'],
  }),
  get: route({
    right: 'contacts.read',
    method: 'GET',
    path: `${at}/groups/:group_id`,
    summary: 'Get one contact group',
    description: 'List its contacts with `group=<id>`.',
    audience: 'grant',
    query: z.object(selectParam),
    returns: ContactGroup,
    errors: ['not_found'],
  }),
  update: route({
    right: 'contacts.write',
    method: 'PUT',
    path: `${at}/groups/:group_id`,
    summary: 'Rename a contact group',
    description: 'System groups cannot be renamed. The id of a CardDAV category changes with its name.',
    audience: 'grant',
    query: z.object(selectParam),
    body: ContactGroupDraft,
    returns: ContactGroup,
    errors: ['not_found', 'conflict'],
  }),
  delete: route({
    right: 'contacts.write',
    method: 'DELETE',
    path: `${at}/groups/:group_id`,
    summary: 'Delete a contact group',
    description: 'Its contacts stay. System groups cannot be deleted.',
    audience: 'grant',
    errors: ['not_found'],
  }),
}

export const contacts = {
  list: route({
    right: 'contacts.read',
    method: 'GET',
    path: at,
    summary: 'List contacts',
    description:
      'Lists the address book, unless `source` is given. For IMAP mailboxes, the service stores the address book.',
    audience: 'grant',
    query: ContactListQuery,
    returns: Contact,
    list: 'cursor',
  }),
  create: route({
    right: 'contacts.write',
    method: 'POST',
    path: at,
    summary: 'Create a contact',
    description:
      'Creates a contact in the address book. At least one of `given_name`, `surname`, `company_name` and `emails` is required. More values than the provider can store fail with 400.',
    audience: 'grant',
    query: z.object(selectParam),
    body: ContactDraft,
    returns: Contact,
  }),
  export: route({
    right: 'contacts.read',
    method: 'GET',
    path: `${at}/export`,
    summary: 'Export contacts as files',
    description:
      'Streams one page of contacts as a file. The response header `next-cursor` names the next page and is absent on the last. The names of groups become CATEGORIES.',
    audience: 'grant',
    query: ContactExportQuery,
    own: true,
    bytes: true,
  }),
  get: route({
    right: 'contacts.read',
    method: 'GET',
    path: `${at}/:contact_id`,
    summary: 'Get one contact',
    description: 'Works for contacts of any source. The picture is returned only on request.',
    audience: 'grant',
    query: z.object({
      profile_picture: booleanParam().meta({
        description: "`true` returns the contact's picture in `picture`, if it has one. Default: `false`",
      }),
      ...selectParam,
    }),
    returns: Contact,
    errors: ['not_found'],
  }),
  update: route({
    right: 'contacts.write',
    method: 'PUT',
    path: `${at}/:contact_id`,
    summary: 'Change a contact',
    description:
      'Address book contacts only. Absent fields stay unchanged and lists are replaced as a whole. Provider fields outside this API are preserved.',
    audience: 'grant',
    query: z.object(selectParam),
    body: ContactChange,
    returns: Contact,
    errors: ['not_found', 'conflict'],
  }),
  delete: route({
    right: 'contacts.write',
    method: 'DELETE',
    path: `${at}/:contact_id`,
    summary: 'Delete a contact',
    description: 'Address book contacts only. Contacts from mail or the directory fail with 400.',
    audience: 'grant',
    errors: ['not_found'],
  }),
}
