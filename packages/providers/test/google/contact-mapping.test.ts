/** Google's people as contacts and back, without a network. */
import { ContactDraft } from '@waypost/contract'
import { describe, expect, test } from 'vitest'
import { pictureBytes } from '../../src/contacts/picture.ts'
import { fromGroup, fromPerson, personName, toPerson } from '../../src/google/people/mapping/contact.ts'

describe('a person of Google', () => {
  test('has every field', () => {
    const contact = fromPerson(
      {
        resourceName: 'people/c1',
        metadata: {
          sources: [
            { type: 'CONTACT', id: '1' },
            { type: 'PROFILE', id: '2' },
          ],
        },
        names: [{ displayName: 'Ada Lovelace', givenName: 'Ada', familyName: 'Lovelace', honorificSuffix: 'Jr' }],
        nicknames: [{ value: 'Countess' }],
        birthdays: [{ text: '10 December' }, { date: { month: 12, day: 10 } }],
        organizations: [{ name: 'Engines', title: 'Analyst', location: 'London' }],
        relations: [{ person: 'Charles', type: 'manager' }],
        biographies: [{ value: 'Notes' }],
        emailAddresses: [{ value: 'ada@example.com', type: 'work' }, { value: 'ada@home.test', type: 'My own' }, {}],
        phoneNumbers: [
          { value: '+1 202 555 0100', type: 'workMobile' },
          { value: '1', type: 'homeFax' },
        ],
        imClients: [{ username: 'ada', protocol: 'jabber' }],
        addresses: [{ type: 'home', streetAddress: '1 Street', region: 'CA', postalCode: '94107', countryCode: 'US' }],
        urls: [{ value: 'https://ada.test', type: 'blog' }],
        memberships: [{ contactGroupMembership: { contactGroupResourceName: 'contactGroups/myContacts' } }],
        photos: [{ url: 'https://lh3.example/default', default: true }],
      },
      'grant',
    )
    expect(contact).toEqual({
      id: 'c1',
      grant_id: 'grant',
      object: 'contact',
      source: 'address_book',
      display_name: 'Ada Lovelace',
      given_name: 'Ada',
      middle_name: null,
      surname: 'Lovelace',
      suffix: 'Jr',
      nickname: 'Countess',
      birthday: '0000-12-10',
      company_name: 'Engines',
      job_title: 'Analyst',
      manager_name: 'Charles',
      office_location: 'London',
      notes: 'Notes',
      emails: [
        { email: 'ada@example.com', type: 'work' },
        { email: 'ada@home.test', type: 'other' },
      ],
      phone_numbers: [
        { number: '+1 202 555 0100', type: 'mobile' },
        { number: '1', type: 'home' },
      ],
      im_addresses: [{ im_address: 'ada', type: 'jabber' }],
      physical_addresses: [
        {
          type: 'home',
          street_address: '1 Street',
          city: null,
          state: 'CA',
          postal_code: '94107',
          country: 'US',
        },
      ],
      web_pages: [{ url: 'https://ada.test', type: 'other' }],
      groups: [{ id: 'myContacts' }],
    })
  })

  test('comes from the address book, from mail, or from the directory', () => {
    const sourceOf = (resourceName: string, ...types: string[]) =>
      fromPerson({ resourceName, metadata: { sources: types.map((type) => ({ type })) } }, 'grant')
    expect(sourceOf('otherContacts/c9', 'OTHER_CONTACT')).toMatchObject({ id: 'other-c9', source: 'inbox' })
    expect(sourceOf('people/12', 'DOMAIN_PROFILE')).toMatchObject({ id: '12', source: 'domain' })
    expect(sourceOf('people/c3', 'CONTACT')).toMatchObject({ id: 'c3', source: 'address_book' })
    expect(personName('c3')).toBe('people/c3')
    expect(personName('other-c9')).toBeUndefined()
  })

  test('has a display name, even without a name', () => {
    const resourceName = 'people/c1'
    expect(fromPerson({ resourceName, emailAddresses: [{ value: 'x@y.test' }] }, 'grant').display_name).toBe('x@y.test')
    expect(fromPerson({ resourceName }, 'grant')).toMatchObject({ display_name: '', emails: [], groups: [] })
  })
})

describe("a client's field", () => {
  test('is read as intended', () => {
    const parsed = ContactDraft.parse({
      given_name: 'Ada',
      phone_numbers: [{ number: 12025550100, type: 'Mobile' }],
      physical_addresses: [{ type: 'HOME', postal_code: 94107 }],
    })
    expect(toPerson(parsed)).toEqual({
      names: [{ givenName: 'Ada' }],
      phoneNumbers: [{ value: '12025550100', type: 'mobile' }],
      addresses: [{ type: 'home', postalCode: '94107' }],
    })
    for (const wrong of [
      { emails: [{ email: 'x'.repeat(256) }] },
      { emails: [{ email: 'a@b.test', type: 'x'.repeat(100) }] },
      { birthday: '10 December' },
    ]) {
      expect(ContactDraft.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false)
    }
  })

  test('changes the first of several values at Google, and keeps the rest', () => {
    const before = {
      names: [{ displayName: 'Ada L', givenName: 'Ada', familyName: 'L', honorificPrefix: 'Lady' }],
      organizations: [{ name: 'Engines', department: 'Mill' }, { name: 'Second' }],
      relations: [
        { person: 'Charles', type: 'manager' },
        { person: 'Byron', type: 'father' },
      ],
    }
    expect(
      toPerson({ surname: 'Lovelace', company_name: '', job_title: 'Analyst', manager_name: null }, before),
    ).toEqual({
      names: [{ givenName: 'Ada', familyName: 'Lovelace', honorificPrefix: 'Lady' }],
      organizations: [{ department: 'Mill', title: 'Analyst' }, { name: 'Second' }],
      relations: [{ person: 'Byron', type: 'father' }],
    })
    expect(
      toPerson({ emails: null, notes: '', given_name: null, surname: '' }, { names: [{ givenName: 'A' }] }),
    ).toEqual({
      emailAddresses: [],
      biographies: [],
      names: [],
    })
  })

  test('stays in the address book', () => {
    expect(toPerson({ groups: [{ id: 'friends' }] }).memberships).toEqual(
      ['myContacts', 'friends'].map((id) => ({
        contactGroupMembership: { contactGroupResourceName: `contactGroups/${id}` },
      })),
    )
  })

  test('can be a birthday with or without its year', () => {
    expect(toPerson({ birthday: '1815-12-10' }).birthdays).toEqual([{ date: { year: 1815, month: 12, day: 10 } }])
    expect(toPerson({ birthday: '0000-02-29' }).birthdays).toEqual([{ date: { month: 2, day: 29 } }])
    expect(() => toPerson({ birthday: '1815-02-30' })).toThrow(/birthday/)
  })

  test('can be a picture in base64', () => {
    expect(pictureBytes('data:image/png;base64,iVBO\nRw0K')).toBe('iVBORw0K')
    expect(pictureBytes('_-8=')).toBe('/+8=')
    expect(() => pictureBytes('not a picture')).toThrow(/picture/)
  })
})

test('a group belongs to the system or the user', () => {
  const group = { resourceName: 'contactGroups/abc', name: 'Friends', groupType: 'USER_CONTACT_GROUP' }
  expect(fromGroup(group, 'grant')).toEqual({
    id: 'abc',
    grant_id: 'grant',
    object: 'contact_group',
    name: 'Friends',
    group_type: 'user',
    path: 'contactGroups/abc',
  })
  expect(fromGroup({ resourceName: 'contactGroups/x', groupType: 'SYSTEM_CONTACT_GROUP' }, 'grant').group_type).toBe(
    'system',
  )
})
