/** Contacts as a client sees them, for every provider. */
import ICAL from 'ical.js'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type Account,
  accountOf,
  expectRefusal,
  expectStatus,
  type Fields,
  ids,
  type Json,
  pagesOf,
  type Query,
} from './accounts.ts'
import { type ContactLack, type ContactSubject, type OpenContacts, wholeContact } from './contacts-subject.ts'

/** The smallest PNG. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const withoutTypes = (values: unknown): unknown =>
  Array.isArray(values) ? values.map(({ type: _, ...value }) => value) : values

export function describeContacts(subject: ContactSubject): void {
  const lacks = (lack: ContactLack): boolean => subject.lacks?.includes(lack) ?? false

  describe(`contacts of ${subject.name}`, () => {
    let open: OpenContacts
    let account: Account
    const made: string[] = []
    beforeAll(async () => {
      open = await subject.open()
      account = accountOf(open.call, open)
    })
    // Each test leaves the address book empty.
    afterEach(async () => {
      for (const path of made.splice(0)) await account.delete(path)
    })
    afterAll(() => open[Symbol.asyncDispose]())

    const path = (id: string): string => `/contacts/${encodeURIComponent(id)}`
    const groupPath = (id: string): string => `/contacts/groups/${encodeURIComponent(id)}`
    const create = async (fields: Fields): Promise<Json> => {
      const { data } = expectStatus(await account.post('/contacts', fields), 200).body
      made.push(path(data.id))
      return data
    }
    const createGroup = async (name: string): Promise<Json> => {
      const { data } = expectStatus(await account.post('/contacts/groups', { name }), 200).body
      made.push(groupPath(data.id))
      return data
    }
    const change = async (id: string, fields: Fields): Promise<Json> =>
      expectStatus(await account.put(path(id), fields), 200).body.data
    const read = async (id: string, query: Query = {}): Promise<Json> =>
      expectStatus(await account.get(path(id), query), 200).body.data
    /** The written fields, without the types that the provider does not store. */
    const retained = (fields: Fields): Json =>
      Object.fromEntries(
        Object.entries(fields)
          .filter(([name]) => !subject.keepsNot?.includes(name))
          .map(([name, value]) => [name, subject.untyped?.includes(name) ? withoutTypes(value) : value]),
      )
    const list = async (query: Query = {}): Promise<Json[]> => (await pagesOf(account, '/contacts', query)).flat()

    describe('one', () => {
      test('has every field that clients rely on, and is read as it was created', async () => {
        const contact = await create({ given_name: 'Bob' })
        expect(contact).toMatchObject({
          id: expect.stringMatching(/./),
          grant_id: open.grantId,
          object: 'contact',
          source: 'address_book',
          given_name: 'Bob',
          display_name: expect.stringContaining('Bob'),
          emails: [],
          phone_numbers: [],
          im_addresses: [],
          physical_addresses: [],
          web_pages: [],
          groups: expect.any(Array),
        })
        expect(await read(contact.id)).toEqual(contact)
        expect(await list()).toEqual([contact])
        // Clients decode ids once too often.
        expect(contact.id).toBe(decodeURIComponent(contact.id))
      })

      test('stores everything that is written', async () => {
        const { id } = await create(wholeContact)
        expect(await read(id)).toMatchObject(retained(wholeContact))
        expect((await read(id)).display_name).toMatch(/Ada.*Lovelace/)
      })

      test('is exported as a vCard of both versions', async () => {
        await create(wholeContact)
        for (const version of ['3.0', '4.0']) {
          const answer = expectStatus(await account.get('/contacts/export', { version }), 200)
          const card = new ICAL.Component(ICAL.parse(String(answer.body)))
          expect(card.getFirstPropertyValue('version')).toBe(version)
          expect(card.getFirstPropertyValue('fn')).toMatch(/Ada.*Lovelace/)
          expect(card.getFirstPropertyValue('email')).toBe('ada@engines.test')
        }
      })

      test('requires a name, an address or another identifying field', async () => {
        expectRefusal(await account.post('/contacts', { notes: 'Nobody' }), /given_name/)
        expectRefusal(
          await account.post('/contacts', { given_name: 'A', emails: [{ email: 'x'.repeat(300) }] }),
          /emails/,
        )
        expectRefusal(await account.post('/contacts', { given_name: 'A', birthday: '1815-02-30' }), /birthday/)
        expect(await list()).toEqual([])
        const { id } = await create({ emails: [{ email: 'only@mail.test' }] })
        expect(await read(id)).toMatchObject({ emails: [{ email: 'only@mail.test' }] })
      })

      test('accepts numbers written as JSON numbers', async () => {
        const { id } = await create({
          given_name: 'Cleo',
          physical_addresses: [{ type: 'home', street_address: '1 Street', postal_code: 94107 }],
          source: 'inbox',
          display_name: 'Tolerated',
        })
        expect(await read(id)).toMatchObject({ physical_addresses: [{ postal_code: '94107' }], source: 'address_book' })
      })

      test('is changed in part, with lists replaced', async () => {
        const { id } = await create({
          given_name: 'Ada',
          surname: 'Byron',
          notes: 'Notes',
          emails: [{ email: 'one@mail.test', type: 'work' }],
          phone_numbers: [{ number: '+1 202 555 0100', type: 'home' }],
        })
        await change(id, { surname: 'Lovelace' })
        expect(await read(id)).toMatchObject({
          given_name: 'Ada',
          surname: 'Lovelace',
          notes: 'Notes',
          emails: [{ email: 'one@mail.test' }],
          phone_numbers: [{ number: '+1 202 555 0100' }],
        })
        const wanted = { emails: [{ email: 'two@mail.test', type: 'home' }], phone_numbers: [], notes: null }
        const changed = await change(id, wanted)
        expect(changed).toMatchObject(retained(wanted))
        expect(await read(id)).toEqual(changed)
      })

      test.skipIf(lacks('several-values'))('has several values of a list', async () => {
        const emails = ['one', 'two', 'three'].map((name) => ({ email: `${name}@mail.test`, type: 'other' }))
        const { id } = await create({ given_name: 'Many', emails })
        expect((await read(id)).emails).toEqual(retained({ emails }).emails)
      })

      test.skipIf(lacks('pictures'))('has a picture', async () => {
        const { id } = await create({ given_name: 'Seen', picture: dot })
        const shown = await read(id)
        expect(shown.picture_url).toMatch(/^https?:/)
        expect(shown).not.toHaveProperty('picture')
        expect((await read(id, { profile_picture: true })).picture).toMatch(/^data:image\/[a-z]+;base64,./)
        expectRefusal(await account.put(path(id), { picture: 'no picture at all' }), /picture/)
        const removal = await account.put(path(id), { picture: null })
        if (lacks('picture-removal')) {
          expect(removal.body.error.type).toBe('not_supported_by_provider')
          expect(await read(id)).toHaveProperty('picture_url')
          return
        }
        expect(expectStatus(removal, 200).body.data).not.toHaveProperty('picture_url')
        expect(await read(id, { profile_picture: true })).not.toHaveProperty('picture')
      })

      test('is deleted once', async () => {
        const { id } = await create({ given_name: 'Gone' })
        expectStatus(await account.delete(path(id)), 200)
        expectStatus(await account.get(path(id)), 404)
        expectStatus(await account.delete(path(id)), 404)
        expect(await list()).toEqual([])
      })

      test('that does not exist is not found', async () => {
        for (const id of ['c404404404', 'no such contact']) {
          expectStatus(await account.get(path(id)), 404)
          expectStatus(await account.put(path(id), { given_name: 'x' }), 404)
          expectStatus(await account.delete(path(id)), 404)
        }
      })
    })

    describe('a list', () => {
      test('in pages contains each contact once', async () => {
        for (let count = 1; count <= 7; count += 1) await create({ given_name: `Contact ${count}` })
        const whole = ids(await list())
        expect(new Set(whole).size).toBe(7)
        for (const limit of [1, 3, 7]) {
          const pages = await pagesOf(account, '/contacts', { limit })
          expect(ids(pages.flat())).toEqual(whole)
          for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit)
        }
        // Clients request fewer on their last page.
        const first = expectStatus(await account.get('/contacts', { limit: 3 }), 200).body
        const second = expectStatus(
          await account.get('/contacts', { limit: 1, page_token: first.next_cursor }),
          200,
        ).body
        const third = expectStatus(
          await account.get('/contacts', { limit: 2, page_token: second.next_cursor }),
          200,
        ).body
        expect([...ids(first.data), ...ids(second.data), ...ids(third.data)]).toEqual(whole.slice(0, 6))
      })

      test('returns the selected fields', async () => {
        await create({ given_name: 'Short', surname: 'Long' })
        expect(await list({ select: 'surname' })).toEqual([{ surname: 'Long' }])
      })

      test('finds contacts by an address', async () => {
        const { id } = await create({ given_name: 'Ann', emails: [{ email: 'Ann@mail.test' }] })
        await create({ given_name: 'Joann', emails: [{ email: 'joann@mail.test' }] })
        expect(ids(await list({ email: 'ann@mail.test' }))).toEqual([id])
        expect(await list({ email: 'nobody@mail.test' })).toEqual([])
      })

      test.skipIf(lacks('phone-filter'))('finds contacts by a number in any notation', async () => {
        const { id } = await create({ given_name: 'Ann', phone_numbers: [{ number: '+1 (202) 555-0100' }] })
        await create({ given_name: 'Bob', phone_numbers: [{ number: '+1 202 555 0199' }] })
        expect(ids(await list({ phone_number: '+12025550100' }))).toEqual([id])
      })

      test.skipIf(lacks('inbox'))('contains contacts gathered from mail on request', async () => {
        await open.knowFromMail({ name: 'Zoe', email: 'zoe@mail.test' })
        expect(await list()).toEqual([])
        const [zoe, ...others] = await list({ source: 'inbox' })
        expect(others).toEqual([])
        expect(zoe).toMatchObject({ source: 'inbox', emails: [{ email: 'zoe@mail.test' }] })
        expect(await read(zoe.id)).toEqual(zoe)
        expectRefusal(await account.put(path(zoe.id), { given_name: 'x' }), /address book/)
        expectRefusal(await account.get('/contacts', { source: 'garden' }), /source/)
      })
    })

    describe.skipIf(lacks('groups'))('groups', () => {
      test('are listed with every field', async () => {
        const groups = (await pagesOf(account, '/contacts/groups', { limit: 1 })).flat()
        expect(new Set(ids(groups)).size).toBe(groups.length)
        for (const group of groups) {
          expect(group).toEqual({
            id: expect.stringMatching(/./),
            grant_id: open.grantId,
            object: 'contact_group',
            name: expect.any(String),
            group_type: expect.stringMatching(/^(system|user|other)$/),
            path: expect.any(String),
          })
        }
      })

      test.skipIf(lacks('group-writing'))('are created, renamed, and deleted; their contacts stay', async () => {
        const group = await createGroup('Friends')
        expect(group).toMatchObject({ object: 'contact_group', name: 'Friends', group_type: 'user' })
        const { id } = await create({ given_name: 'Ann', groups: [{ id: group.id }] })
        await create({ given_name: 'Bob' })
        expect(ids((await read(id)).groups)).toContain(group.id)
        expect(ids(await list({ group: group.id }))).toEqual([id])
        const renamed = expectStatus(await account.put(groupPath(group.id), { name: 'Old friends' }), 200).body.data
        expect(renamed).toEqual({ ...group, name: 'Old friends' })
        expect(expectStatus(await account.get(groupPath(group.id)), 200).body.data).toEqual(renamed)
        await change(id, { groups: [] })
        expect(await list({ group: group.id })).toEqual([])
        expectStatus(await account.delete(groupPath(group.id)), 200)
        expectStatus(await account.get(groupPath(group.id)), 404)
        expect((await read(id)).given_name).toBe('Ann')
      })

      test.skipIf(lacks('group-writing'))('have unique names', async () => {
        await createGroup('Friends')
        expectStatus(await account.post('/contacts/groups', { name: 'Friends' }), 409)
        expectRefusal(await account.post('/contacts/groups', {}), /name/)
      })

      test('that do not exist are not found', async () => {
        expectStatus(await account.get(groupPath('nosuchgroup')), 404)
        expectStatus(await account.put(groupPath('nosuchgroup'), { name: 'x' }), 404)
        expectStatus(await account.delete(groupPath('nosuchgroup')), 404)
        expectStatus(await account.get('/contacts', { group: 'nosuchgroup' }), 404)
      })
    })
  })
}
