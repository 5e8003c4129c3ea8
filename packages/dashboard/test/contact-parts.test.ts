/** The pure parts of the page of contacts: searches, names and pictures. */
import { expect, test } from 'vitest'
import type { Contact } from '../../sdk/src/index.ts'
import { initialsOf, nameOf, pictureOf } from '../src/pages/contacts/names.ts'
import { exactFilter, fits } from '../src/pages/contacts/search.ts'

const contact = {
  display_name: 'Ann Lee',
  company_name: 'Northwind',
  emails: [{ email: 'ann@example.com' }],
  phone_numbers: [],
} as unknown as Contact

test('a full address or number is searched at the provider', () => {
  expect(exactFilter(' ann@example.com ')).toEqual({ email: 'ann@example.com' })
  expect(exactFilter('+49 (30) 12-34')).toEqual({ phone_number: '+49 (30) 12-34' })
  expect(exactFilter('ann@')).toBeUndefined()
})

test('words are searched in the contacts that are loaded, and all of them must occur', () => {
  expect(fits(contact, 'LEE north')).toBe(true)
  expect(fits(contact, 'lee south')).toBe(false)
})

test('a contact without a name is shown with its company, and initials need no name', () => {
  expect([initialsOf('Ann van Lee'), initialsOf('Ōe'), initialsOf('<img>')]).toEqual(['AL', 'Ō', '?'])
  expect(nameOf({ ...contact, display_name: ' ' })).toBe('Northwind')
})

test('a picture is shown only if it cannot run anything and is not loaded from elsewhere', () => {
  expect(pictureOf({ ...contact, picture: 'data:image/svg+xml;base64,AAAA' })).toBeUndefined()
  expect(pictureOf({ ...contact, picture: 'https://evil.example/p.png' })).toBeUndefined()
})
