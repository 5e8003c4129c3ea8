import type { Contact } from '../contact-objects.ts'
import type { ContactGroup, contactGroups, contacts } from '../contacts.ts'
import type { ExamplesOf } from './example.ts'
import { grantId, sampleContact } from './shared.ts'

const friends: ContactGroup = {
  id: 'friends',
  grant_id: grantId,
  object: 'contact_group',
  name: 'Friends',
  group_type: 'system',
  path: 'friends',
}
const halls: ContactGroup = { ...friends, id: '5f1c09ad8b2e', name: 'Halls', group_type: 'user', path: '5f1c09ad8b2e' }
const groupParams = { group_id: halls.id }

export const contactGroupExamples: ExamplesOf<typeof contactGroups> = {
  list: { query: { limit: 50 }, answer: [friends, halls] },
  create: { body: { name: 'Halls' }, answer: halls },
  get: { params: groupParams, answer: halls },
  update: { params: groupParams, body: { name: 'Halls and hotels' }, answer: { ...halls, name: 'Halls and hotels' } },
  delete: { params: groupParams },
}

const params = { contact_id: sampleContact.id }
/** A contact seen only in mail. */
const fromMail: Contact = {
  ...sampleContact,
  id: 'o7710934482236190075',
  source: 'inbox',
  display_name: 'Selma Berg',
  given_name: 'Selma',
  surname: 'Berg',
  nickname: null,
  birthday: null,
  company_name: null,
  job_title: null,
  office_location: null,
  notes: null,
  emails: [{ email: 'selma@example.com' }],
  phone_numbers: [],
  physical_addresses: [],
  web_pages: [],
  groups: [],
}

export const contactExamples: ExamplesOf<typeof contacts> = {
  export: { query: { format: 'vcf', version: '4.0' } },
  list: {
    query: { limit: 30 },
    answer: [sampleContact],
    more: {
      mail: { summary: 'Contacts seen in mail', query: { source: ['inbox'], limit: 30 }, answer: [fromMail] },
      address: { summary: 'Contacts with an address', query: { email: 'jonas@example.org' }, answer: [sampleContact] },
    },
  },
  create: {
    body: {
      given_name: 'Jonas',
      surname: 'Lindqvist',
      nickname: 'Jonte',
      birthday: '1984-03-21',
      company_name: 'Lindqvist Hallar',
      job_title: 'Manager',
      office_location: 'Uppsala',
      notes: 'Prefers the telephone.',
      emails: [{ email: 'jonas@example.org', type: 'work' }],
      phone_numbers: [{ number: '+46 18 555 01 42', type: 'work' }],
      physical_addresses: [
        { type: 'work', street_address: 'Storgatan 1', city: 'Uppsala', postal_code: '753 31', country: 'SE' },
      ],
      web_pages: [{ url: 'https://www.example.org', type: 'work' }],
      groups: [{ id: 'friends' }],
    },
    answer: sampleContact,
  },
  get: {
    params,
    answer: sampleContact,
    more: {
      picture: {
        summary: 'With the picture',
        params,
        query: { profile_picture: true },
        answer: {
          ...sampleContact,
          picture_url: 'https://contacts.example.com/jonas.gif',
          picture: 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
        },
      },
    },
  },
  update: {
    params,
    body: { job_title: 'Director', phone_numbers: [{ number: '+46 18 555 01 43', type: 'mobile' }] },
    answer: {
      ...sampleContact,
      job_title: 'Director',
      phone_numbers: [{ number: '+46 18 555 01 43', type: 'mobile' }],
    },
  },
  delete: { params },
}
