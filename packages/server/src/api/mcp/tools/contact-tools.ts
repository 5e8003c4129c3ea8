/** Tools about contacts. Everything in a contact may come from other people. */
import { Contact, ContactChange, ContactDraft, ContactListQuery } from '@waypost/contract'
import { z } from 'zod'
import { type Row, untrusted } from '../content/result-text.ts'
import { defineTool } from './define-tool.ts'
import { adds, compact, identifierOf, itemOf, nextCursor, pageOf, pageQuery, paging, reads, sets } from './parts.ts'
import { addressProblem } from './search-arguments.ts'

const { id, source, display_name, emails, phone_numbers, company_name, job_title, notes } = Contact.shape

const ContactRow = z.object({
  id,
  source,
  untrusted: untrusted({ display_name, emails, phone_numbers, company_name, job_title, notes }),
})

function contactRow(contact: Contact): Row {
  const { id, source, display_name, emails, phone_numbers, company_name, job_title, notes } = contact
  return {
    facts: { id, source },
    untrusted: {
      display_name,
      emails: emails.slice(0, 10),
      phone_numbers: phone_numbers.slice(0, 10),
      company_name,
      job_title,
      notes: notes === null ? null : notes.slice(0, 1000),
    },
  }
}

export const findContacts = defineTool({
  name: 'find_contacts',
  title: 'Find contacts',
  description:
    'Lists contacts of the account, or finds one by its whole address or number. It does not search names: list them and compare.',
  operations: ['contacts.read'],
  annotations: reads,
  grant: true,
  input: {
    email: ContactListQuery.shape.email,
    phone_number: ContactListQuery.shape.phone_number,
    source: ContactListQuery.shape.source,
    ...paging,
  },
  refine: ({ email, phone_number }) =>
    addressProblem('email', email, 'To find a name, list the contacts without email and compare display_name') ??
    (phone_number === undefined || /\d/.test(phone_number)
      ? undefined
      : 'phone_number: must be a number such as +49 30 901820. To find a name, list the contacts without it'),
  output: { contacts: z.array(ContactRow), ...nextCursor },
  run: async ({ call, grantId }, { limit, cursor, ...filters }) => {
    const query = { ...filters, ...pageQuery({ limit, cursor }) }
    const page = await call('contacts.list', { params: { grant_id: grantId }, query })
    return pageOf(page, { name: 'contacts', one: 'contact' }, contactRow)
  },
})

const fields = { given_name: true, surname: true, company_name: true, job_title: true, notes: true } as const
const lists = { emails: true, phone_numbers: true } as const

export const createContact = defineTool({
  name: 'create_contact',
  title: 'Create a contact',
  description: 'Adds a contact to the address book. It needs a name, a company or an address.',
  operations: ['contacts.write'],
  annotations: adds,
  grant: true,
  input: ContactDraft.pick({ ...fields, ...lists }).shape,
  output: { contact: ContactRow },
  run: async ({ call, grantId }, args) => {
    const answer = await call('contacts.create', { params: { grant_id: grantId }, body: compact(args) })
    return { summary: 'The contact is stored.', row: { name: 'contact', row: contactRow(itemOf(answer)) } }
  },
})

export const updateContact = defineTool({
  name: 'update_contact',
  title: 'Change a contact',
  description: 'Changes a contact of the address book. Absent fields stay unchanged; lists are replaced.',
  operations: ['contacts.write'],
  annotations: sets,
  grant: true,
  input: { contact_id: identifierOf('contact'), ...ContactChange.pick({ ...fields, ...lists }).shape },
  output: { contact: ContactRow },
  run: async ({ call, grantId }, { contact_id, ...change }) => {
    const answer = await call('contacts.update', { params: { grant_id: grantId, contact_id }, body: compact(change) })
    return { summary: 'The contact is changed.', row: { name: 'contact', row: contactRow(itemOf(answer)) } }
  },
})
