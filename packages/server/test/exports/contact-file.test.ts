/** Contacts as vCards, read by ical.js and by our own reader. */
import { type Contact, VCardVersions } from '@waypost/contract'
import { contactOf } from '@waypost/formats/vcard/contact'
import { readVCard } from '@waypost/formats/vcard/vcard'
import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { cardOf, uidOf } from '../../src/exports/export-pages.ts'
import { wholeContact } from '../conformance/contacts-subject.ts'

const empty = {
  ...{ middle_name: null, suffix: null, nickname: null, birthday: null, company_name: null, job_title: null },
  ...{ given_name: null, surname: null, manager_name: null, office_location: null, notes: null },
  ...{ emails: [], phone_numbers: [], im_addresses: [], physical_addresses: [], web_pages: [] },
}
const contact = (changes: Partial<Contact>): Contact => ({
  ...empty,
  ...{ id: 'c1', grant_id: 'g1', object: 'contact', source: 'address_book', display_name: '', groups: [], ...changes },
})
const now = Date.UTC(2026, 5, 1)

test.for(VCardVersions)('a vCard %s has every field of a contact', (version) => {
  const whole = contact({
    ...(wholeContact as Partial<Contact>),
    display_name: 'Ann B.',
    groups: [{ id: 'g' }, { id: 'x' }],
  })
  const text = cardOf(whole, { version, groupNames: new Map([['g', 'Friends, old']]), now })
  const read = readVCard(text)
  if (!read) throw new Error('no card')
  const { id: _, grant_id: __, object: ___, source: ____, groups: _____, ...fields } = whole
  expect(contactOf(read)).toMatchObject(JSON.parse(JSON.stringify({ ...fields, picture: undefined })))
  const card = new ICAL.Component(ICAL.parse(text))
  expect(card.getFirstPropertyValue('version')).toBe(version)
  expect(card.getFirstPropertyValue('fn')).toBe('Ann B.')
  expect(card.getFirstProperty('categories')?.getValues()).toEqual(['Friends, old'])
  expect(String(card.getFirstPropertyValue('uid'))).toContain(uidOf('g1', 'c1'))
})

test('hostile values do not end their line, and the UID of a contact is always the same', () => {
  const text = cardOf(
    contact({
      given_name: 'A\r\nEND:VCARD\r\nBEGIN:VCARD\r\nFN:Eve',
      notes: 'a;b,c\\\nd',
      emails: [{ email: 'a@b.test\r\nX-EVIL:1' }],
    }),
    { version: '3.0', groupNames: new Map(), now },
  )
  expect(text.match(/^BEGIN:VCARD/gm)).toHaveLength(1)
  expect(new ICAL.Component(ICAL.parse(text)).getFirstProperty('x-evil')).toBeNull()
  expect(uidOf('g', 'c')).toBe(uidOf('g', 'c'))
  expect(uidOf('g', 'c')).not.toBe(uidOf('g', 'd'))
})
