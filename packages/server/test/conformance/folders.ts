/** Folders as a client sees them, for every provider. */
import { describe, expect, test } from 'vitest'
import { expectRefusal, expectStatus, ids, type Json, pagesOf, type Query } from './accounts.ts'
import {
  changeMessage,
  folderIds,
  folderPath,
  type MailAccount,
  type MailLack,
  type MailSubject,
  messagesOf,
  noon,
  roles,
  subjects,
  withNewAccounts,
} from './mail-subject.ts'

export function describeFolders(subject: MailSubject): void {
  const lacks = (lack: MailLack): boolean => subject.lacks?.includes(lack) ?? false
  const { separator, prefix = '' } = subject

  describe(`folders of ${subject.name}`, () => {
    let account: MailAccount
    withNewAccounts(subject, (fresh) => {
      account = fresh
    })

    const list = async (): Promise<Json[]> => (await pagesOf(account, '/folders', {})).flat()
    const named = async (name: string): Promise<Json> => {
      const found = (await list()).filter((folder) => folder.name === name)
      expect(found, `folders with the name ${name}`).toHaveLength(1)
      return found[0]
    }
    const read = async (id: string): Promise<Json> => expectStatus(await account.get(folderPath(id)), 200).body.data
    const create = async (name: string): Promise<Json> =>
      expectStatus(await account.post('/folders', { name }), 200).body.data

    test('are listed with every field that clients rely on, and their attributes', async () => {
      const folders = await list()
      expect(new Set(ids(folders)).size).toBe(folders.length)
      for (const folder of folders) {
        expect(folder).toMatchObject({
          id: expect.stringMatching(/./),
          grant_id: account.grantId,
          object: 'folder',
          name: expect.stringMatching(/./),
          attributes: expect.any(Array),
          total_count: 0,
          unread_count: 0,
        })
        expect(folder.id).toBe(decodeURIComponent(folder.id))
        expect(await read(folder.id)).toEqual(folder)
      }
      const own = Object.values(roles).filter((role) => !(role === roles.archive && lacks('archive')))
      for (const attribute of own) {
        expect(folders.filter(({ attributes }) => attributes.includes(attribute))).toHaveLength(1)
      }
    })

    const whereMail = test.skipIf(lacks('messages'))
    whereMail('count their messages and unread messages', async () => {
      for (let index = 0; index < 3; index++) await account.deliver({ subject: `Read ${index}` }, { seen: true })
      await account.deliver({ subject: 'Unread' })
      const { inbox, archive } = await folderIds(account)
      expect(await read(inbox)).toMatchObject({ total_count: 4, unread_count: 1 })
      const [message] = await messagesOf(account, { subject: 'Unread' })
      await changeMessage(account, message.id, { folders: [archive] })
      expect(await read(inbox)).toMatchObject({ total_count: 3, unread_count: 0 })
      expect(await read(archive)).toMatchObject({ total_count: 1, unread_count: 1 })
      expect((await list()).find(({ id }) => id === archive)).toMatchObject({ total_count: 1, unread_count: 1 })
    })

    test('are paged, with every folder once', async () => {
      for (const name of ['A', 'B', 'C']) await create(name)
      const whole = ids(await list())
      for (const limit of [1, 2, 200]) {
        const pages = await pagesOf(account, '/folders', { limit })
        expect(pages.flatMap(ids)).toEqual(whole)
        for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit)
      }
    })

    test('are created, renamed and deleted, also for other clients', async () => {
      const made = await create('Projects')
      expect(made).toMatchObject({ object: 'folder', grant_id: account.grantId, attributes: expect.any(Array) })
      expect(made.name).toBe(`${prefix}Projects`)
      expect(await named(made.name)).toEqual(await read(made.id))
      expect(await account.other.folders()).toContain('Projects')
      const renamed = expectStatus(await account.put(folderPath(made.id), { name: 'Finished' }), 200).body.data
      expect(renamed.name).toBe(`${prefix}Finished`)
      expect(await account.other.folders()).toContain('Finished')
      expect(await account.other.folders()).not.toContain('Projects')
      expect(expectStatus(await account.delete(folderPath(renamed.id)), 200).body).toEqual({
        request_id: expect.any(String),
      })
      expect(await account.other.folders()).not.toContain('Finished')
      expectStatus(await account.get(folderPath(renamed.id)), 404)
    })

    const { refusedNames = [] } = subject
    const plain = [
      'Größe & Gewicht',
      '日本語',
      "it's (one)",
      ' & ',
      'a+b=c?',
      '😀 fun',
      '100% sure',
      'with "quotes"',
      'back\\slash',
    ]
    test.each(plain.filter((name) => !refusedNames.includes(name)))('can have the name %j', async (name) => {
      const made = await create(name)
      expect(made.name).toBe(`${prefix}${name}`)
      expect(made.id).toBe(decodeURIComponent(made.id))
      expect(await named(made.name)).toEqual(made)
      expect(await read(made.id)).toEqual(made)
      expect(expectStatus(await account.get(`/folders/${made.id}`), 200).body.data).toEqual(made)
      if (!lacks('messages')) {
        await account.deliver({ subject: 'Inside' }, { folder: name })
        expect(subjects(await messagesOf(account, { in: made.id }))).toEqual(['Inside'])
        expect((await messagesOf(account))[0].folders).toEqual([made.id])
      }
      expectStatus(await account.delete(folderPath(made.id)), 200)
      expect(await account.other.folders()).not.toContain(name)
    })

    test.each([...refusedNames])('cannot have the name %j, and the error says so', async (name) => {
      const before = await account.other.folders()
      const answer = expectStatus(await account.post('/folders', { name }), 400)
      expect(answer.body.error.message).toMatch(/./)
      expect(await account.other.folders()).toEqual(before)
    })

    whereMail('can receive mail, which is deleted with them', async () => {
      const made = await create('Short-lived')
      await account.deliver({ subject: 'Moved' })
      await account.deliver({ subject: 'Stays' })
      const [message] = await messagesOf(account, { subject: 'Moved' })
      expect((await changeMessage(account, message.id, { folders: [made.id] })).folders).toEqual([made.id])
      expect(await read(made.id)).toMatchObject({ total_count: 1 })
      expectStatus(await account.delete(folderPath(made.id)), 200)
      const left = subjects(await messagesOf(account)).sort()
      expect(left).toEqual(lacks('folders-with-messages') ? ['Moved', 'Stays'] : ['Stays'])
      if (lacks('folders-with-messages')) {
        expect((await messagesOf(account, { subject: 'Moved' })).map(({ folders }) => folders)).toEqual([[]])
      }
    })

    whereMail('keep their mail when they are renamed', async () => {
      const made = await create('Before')
      await account.deliver({ subject: 'Inside' }, { folder: 'Before' })
      const renamed = expectStatus(await account.put(folderPath(made.id), { name: 'After' }), 200).body.data
      expect(subjects(await messagesOf(account, { in: renamed.id }))).toEqual(['Inside'])
      expect(renamed.total_count).toBe(1)
    })

    test.skipIf(lacks('nested-folders') || separator === undefined)(
      'can be within others, and are in the same list',
      async () => {
        const inner = ['Clients', 'Acme', '2026'].join(separator)
        const made = await create(inner)
        expect(made.name).toBe(`${prefix}${inner}`)
        expect(await named(`${prefix}${inner}`)).toMatchObject({ id: made.id })
        expect(expectStatus(await account.get(`/folders/${made.id}`), 200).body.data).toEqual(made)
        if (!lacks('messages')) {
          await account.deliver({ subject: 'Deep' }, { folder: inner })
          expect((await messagesOf(account, { in: made.id })).map(({ folders }) => folders)).toEqual([[made.id]])
        }
        const outer = await create(['Clients', 'Other'].join(separator))
        expectStatus(await account.delete(folderPath(outer.id)), 200)
        expect(await account.other.folders()).toContain(inner)
      },
    )

    test.skipIf(lacks('nested-folders') || separator !== undefined)(
      'can be within others that they name, and are in the same list, or in a list of one level',
      async () => {
        const within = async (name: string, parent_id: string): Promise<Json> =>
          expectStatus(await account.post('/folders', { name, parent_id }), 200).body.data
        const clients = await create('Clients')
        const acme = await within('Acme', clients.id)
        const year = await within('2026', acme.id)
        expect(year).toMatchObject({ name: '2026', parent_id: acme.id, child_count: 0 })
        expect(await read(acme.id)).toMatchObject({ parent_id: clients.id, child_count: 1 })
        const all = ids(await list())
        expect(all).toEqual(expect.arrayContaining([clients.id, acme.id, year.id]))
        const below = async (query: Query): Promise<string[]> =>
          ids((await pagesOf(account, '/folders', query)).flat()).sort()
        expect(await below({ parent_id: clients.id })).toEqual([acme.id, year.id].sort())
        expect(await below({ parent_id: clients.id, single_level: true })).toEqual([acme.id])
        const top = await below({ single_level: true })
        expect(top).toContain(clients.id)
        expect(top).not.toContain(acme.id)
        expectStatus(await account.get('/folders', { parent_id: 'no-such-folder' }), 404)
        if (!lacks('messages')) {
          await account.deliver({ subject: 'Deep' }, { folder: 'Clients/Acme/2026' })
          expect((await messagesOf(account, { in: year.id })).map(({ folders }) => folders)).toEqual([[year.id]])
          expect(await messagesOf(account, { in: acme.id })).toEqual([])
        }
        const moved = expectStatus(await account.put(folderPath(year.id), { parent_id: clients.id }), 200).body.data
        const total_count = lacks('messages') ? 0 : 1
        expect(moved).toMatchObject({ id: year.id, name: '2026', parent_id: clients.id, total_count })
        expect(await account.other.folders()).toContain('Clients/2026')
        expectRefusal(await account.put(folderPath(year.id), { parent_id: 'no-such-folder' }), /parent_id/)
        expectStatus(await account.delete(folderPath(clients.id)), 200)
        if (!lacks('messages')) expect(await messagesOf(account)).toEqual([])
      },
    )

    test('that another client creates are listed', async () => {
      await account.other.createFolder('Made elsewhere')
      expect(await named(`${prefix}Made elsewhere`)).toMatchObject({ total_count: 0 })
    })

    whereMail('that another client renames, deletes or creates again have their current contents', async () => {
      await account.other.createFolder('Coming')
      await account.deliver({ subject: 'First' }, { folder: 'Coming' })
      expect(subjects(await messagesOf(account))).toEqual(['First'])
      await account.other.renameFolder('Coming', 'Going')
      const { id } = await named(`${prefix}Going`)
      expect((await messagesOf(account)).map(({ folders }) => folders)).toEqual([[id]])
      await account.other.deleteFolder('Going')
      const left = lacks('folders-with-messages') ? ['First'] : []
      expect(subjects(await messagesOf(account))).toEqual(left)
      expectStatus(await account.get(folderPath(id)), 404)
      await account.other.createFolder('Going')
      expect(subjects(await messagesOf(account))).toEqual(left)
      await account.deliver({ subject: 'Second' }, { folder: 'Going', date: noon + 1 })
      expect(subjects(await messagesOf(account))).toEqual(['Second', ...left])
      expect(subjects(await messagesOf(account, { in: (await named(`${prefix}Going`)).id }))).toEqual(['Second'])
    })

    test('require a name that is not taken', async () => {
      expectRefusal(await account.post('/folders', {}), /name/)
      expectRefusal(await account.post('/folders', { name: '' }), /name/)
      expectRefusal(await account.post('/folders', { name: 'x'.repeat(1025) }), /name/)
      await create('Taken')
      const again = await account.post('/folders', { name: 'Taken' })
      expect([400, 409], JSON.stringify(again.body)).toContain(again.status)
      expect(again.body.error.message).toMatch(/./)
      const other = await create('Other')
      const renamed = await account.put(folderPath(other.id), { name: 'Taken' })
      expect([400, 409], JSON.stringify(renamed.body)).toContain(renamed.status)
      expect(await account.other.folders()).toContain('Other')
    })

    test('that do not exist are not found', async () => {
      for (const id of ['no-such-folder', 'a/b.c', '%', 'ä']) {
        expectStatus(await account.get(folderPath(id)), 404)
        expectStatus(await account.put(folderPath(id), { name: 'x' }), 404)
        expectStatus(await account.delete(folderPath(id)), 404)
      }
    })

    test('that every mailbox needs cannot be deleted', async () => {
      const { inbox } = await folderIds(account)
      if (!lacks('messages')) await account.deliver({ subject: 'Safe' })
      const answer = await account.delete(folderPath(inbox))
      expect([400, 403, 409, 422], JSON.stringify(answer.body)).toContain(answer.status)
      expect(answer.body.error.message).toMatch(/./)
      if (!lacks('messages')) expect(subjects(await messagesOf(account, { in: inbox }))).toEqual(['Safe'])
      expectStatus(await account.get(folderPath(inbox)), 200)
    })

    test('are returned with the selected fields', async () => {
      const { inbox } = await folderIds(account)
      const { name } = await read(inbox)
      expect((await account.get(folderPath(inbox), { select: 'id,name' })).body.data).toEqual({ id: inbox, name })
      const shown = (await account.get('/folders', { select: 'id' })).body.data
      expect(shown).toContainEqual({ id: inbox })
      const made = await account.post('/folders', { name: 'Selected' }, { select: 'name' })
      expect(made.body.data).toEqual({ name: `${prefix}Selected` })
    })
  })
}
