/** Unusual mail servers: their folders, and their searches. */

import { literal, type ScriptedOptions } from '@waypost/testing/peers/scripted-imap'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folderPath } from '../../../../providers/src/imap/mapping/ids.ts'
import { expectRefusal, expectStatus, type Json, pagesOf } from '../../conformance/accounts.ts'
import type { TestService } from '../../harness.ts'
import { messages, mimeMessage, openScripted, openScriptedService, subjectsOf } from '../scripted-account.ts'

let service: TestService
beforeAll(async () => {
  service = await openScriptedService()
})
afterAll(() => service?.[Symbol.asyncDispose]())
const open = (options: ScriptedOptions, subjects?: readonly string[]) => openScripted(service, options, subjects)

describe('folders of a mail server', () => {
  test('are listed once, only if they hold mail, and can have any name', async () => {
    const names = ['a "b" c', 'back\\slash', '50% *', 'Sent.Items', '#news', '~{x}', 'Ünïcode'.normalize('NFC')]
    await using at = await open({
      script({ name, tag, args }, line, server) {
        if (name !== 'LIST' || args[1] !== '*') return false
        line.say(
          '* LIST () "/" INBOX',
          '* LIST () "/" "INBOX"',
          '* LIST (\\NoSelect) "/" Parent',
          '* LIST (\\NONEXISTENT) "/" Gone',
          ...server.folders.slice(1).map(({ path }) => `* LIST () "/" ${literal(path)}`),
          `${tag} OK done`,
        )
        return true
      },
    })
    for (const name of names.slice(0, -1)) {
      at.server.addFolder(name)
      at.server.add(mimeMessage(`in ${name}`), { folder: name })
    }
    const { data } = expectStatus(await at.account.get('/folders'), 200).body
    expect(data.map(({ name }: Json) => name).toSorted()).toEqual(['INBOX', ...names.slice(0, -1)].toSorted())
    for (const { id, name } of data) {
      if (name === 'INBOX') continue
      expect(await subjectsOf(at.account, { in: id })).toEqual([`in ${name}`])
      expectStatus(await at.account.get(`/folders/${encodeURIComponent(id)}`), 200)
    }
  })

  test('are listed even if not subscribed', async () => {
    await using at = await open({
      script({ name, tag }, line) {
        if (name !== 'LSUB') return false
        line.say('* LSUB (\\Noselect) "/" Parent', '* LSUB () "/" Parent/Child', `${tag} OK done`)
        return true
      },
    })
    for (const path of ['Parent', 'Parent/Child']) {
      at.server.addFolder(path)
      at.server.add(mimeMessage(`in ${path}`), { folder: path })
    }
    const { data } = expectStatus(await at.account.get('/folders'), 200).body
    expect(data.map(({ name }: Json) => name)).toEqual(['INBOX', 'Parent', 'Parent/Child'])
    expect((await subjectsOf(at.account)).toSorted()).toEqual(['in Parent', 'in Parent/Child'])
  })

  test('that cannot be opened are listed without counts and block nothing else', async () => {
    await using at = await open(
      {
        script({ name, tag, args }, line) {
          if (args[0] !== 'Locked' || !['STATUS', 'SELECT'].includes(name)) return false
          line.say(`${tag} NO [NOPERM] not yours`)
          return true
        },
      },
      ['first'],
    )
    at.server.addFolder('Locked')
    const { data } = expectStatus(await at.account.get('/folders'), 200).body
    expect(data).toMatchObject([{ name: 'INBOX', total_count: 1 }, { name: 'Locked' }])
    expect(data[1]).not.toHaveProperty('total_count')
    expect(await subjectsOf(at.account)).toEqual(['first'])
  })

  test('without UIDNEXT are read anyway', async () => {
    await using at = await open({ status: ({ messages: { length } }) => `MESSAGES ${length} UNSEEN 0 UIDVALIDITY 1` }, [
      'first',
    ])
    expect(await subjectsOf(at.account)).toEqual(['first'])
    const inbox = at.server.folder('INBOX')
    inbox.messages = []
    at.server.add(mimeMessage('second'))
    expect(await subjectsOf(at.account)).toEqual(['second'])
  })

  test('that were deleted and recreated are not mixed up', async () => {
    await using at = await open({}, ['first'])
    expect(await subjectsOf(at.account)).toEqual(['first'])
    Object.assign(at.server.folder('INBOX'), { uidValidity: 2, uidNext: 1, messages: [] })
    at.server.add(mimeMessage('another'))
    expect(await subjectsOf(at.account)).toEqual(['another'])
  })

  test('by the hundred are listed with one message each', async () => {
    await using at = await open({ capabilities: [] })
    for (let number = 0; number < 120; number++) {
      at.server.addFolder(`Folder ${number}`)
      at.server.add(mimeMessage(`Message ${number}`), { folder: `Folder ${number}` })
    }
    expect((await pagesOf(at.account, '/folders', { limit: 200 })).flat()).toHaveLength(121)
    const found = (await pagesOf(at.account, '/messages', { limit: 100 })).flat()
    expect(new Set(found.map(({ subject }) => subject)).size).toBe(120)
  })
})

describe('a folder that shows all mail', () => {
  /**
   * Like Gmail: a message that is removed from a folder stays in "all mail", and a message in the trash is in no other
   * folder.
   */
  async function openGmail() {
    const at = await open({
      script({ name, args }, line, server) {
        if (name !== 'UID COPY' || args[1] !== '[Gmail]/Trash') return false
        const ids = line.selected?.messages.map(({ source }) => source)
        const all = server.folder('[Gmail]/All Mail')
        all.messages = all.messages.filter(({ source }) => line.selected === all || !ids?.includes(source))
        return false
      },
    })
    at.server.addFolder('[Gmail]/All Mail', ['\\All'])
    at.server.addFolder('[Gmail]/Trash', ['\\Trash'])
    at.server.addFolder('Work')
    const source = mimeMessage('everywhere')
    for (const folder of ['INBOX', '[Gmail]/All Mail']) at.server.add(source, { folder })
    const [message] = await messages(at.account)
    const places = () =>
      at.server.folders.flatMap(({ path, messages: held }) => (held.length > 0 ? [path] : [])).toSorted()
    return { ...at, path: `/messages/${message.id}`, places }
  }

  test('does not change when a message is moved', async () => {
    await using at = await openGmail()
    const moved = expectStatus(await at.account.put(at.path, { folders: ['Work'] }), 200).body.data
    expect(at.places()).toEqual(['Work', '[Gmail]/All Mail'])
    expect(moved.folders.map(folderPath).toSorted()).toEqual(['Work', '[Gmail]/All Mail'])
    expectStatus(await at.account.put(at.path, { folders: ['INBOX', '[Gmail]/All Mail'] }), 200)
    expect(at.places()).toEqual(['INBOX', '[Gmail]/All Mail'])
  })

  test('gives a message to another folder if it is in no other', async () => {
    await using at = await openGmail()
    at.server.folder('INBOX').messages = []
    expectStatus(await at.account.put(at.path, { folders: ['INBOX'] }), 200)
    expect(at.places()).toEqual(['INBOX', '[Gmail]/All Mail'])
  })

  test('contains neither trashed nor permanently deleted messages', async () => {
    await using at = await openGmail()
    expectStatus(await at.account.delete(at.path), 200)
    expect(at.places()).toEqual(['[Gmail]/Trash'])
    await using other = await openGmail()
    expectStatus(await other.account.call('PATCH', '/v3/applications', { body: { allow_hard_delete: true } }), 200)
    expectStatus(await other.account.delete(other.path, { hard_delete: true }), 200)
    expect(other.places()).toEqual([])
    expectStatus(await other.account.get(other.path), 404)
  })
})

describe('searches at a mail server', () => {
  test('name no charset if UTF8=ACCEPT is enabled', async () => {
    await using at = await open({ capabilities: ['ENABLE', 'UTF8=ACCEPT'] }, ['first'])
    expect(await subjectsOf(at.account, { subject: 'Grüße' })).toEqual([])
    const searches = at.server.commands.filter(({ name }) => name === 'UID SEARCH').map(({ line }) => line)
    expect(searches.join('\n')).not.toContain('CHARSET')
  })

  test('for characters that the server cannot search are made by Waypost', async () => {
    await using at = await open({
      script({ name, tag, line: said }, line) {
        if (name !== 'UID SEARCH' || !said.includes('CHARSET')) return false
        line.say(`${tag} NO [BADCHARSET (US-ASCII)] The specified charset is not supported`)
        return true
      },
    })
    for (const subject of ['=?utf-8?q?Viele_Gr=C3=BC=C3=9Fe?=', 'Plain', '=?iso-8859-1?q?gr=FC=DFe?='])
      at.server.add(mimeMessage(subject))
    expect((await subjectsOf(at.account, { subject: 'GRÜSSE' })).toSorted()).toEqual([])
    expect((await subjectsOf(at.account, { subject: 'Grüße' })).toSorted()).toEqual(['Viele Grüße', 'grüße'])
    const { data } = expectStatus(await at.account.get('/threads', { subject: 'viele grüße' }), 200).body
    expect(data).toMatchObject([{ subject: 'Viele Grüße' }])
    expectRefusal(await at.account.get('/messages', { search_query_native: 'SUBJECT "Grüße"' }), /search_query_native/)
  })

  test('with open-ended numbers are not quoted', async () => {
    await using at = await open({}, ['first', 'second', 'third'])
    expect(await subjectsOf(at.account, { search_query_native: 'UID 2:*' })).toEqual(['third', 'second'])
  })

  test('for many addresses at once are not nested deeply', async () => {
    await using at = await open({}, ['first'])
    const many = Array.from({ length: 24 }, (_, number) => `nobody${number}@example.com`)
    expect(await subjectsOf(at.account, { any_email: [...many, 'ada@example.com'].join(',') })).toEqual(['first'])
    const said = at.server.commands.findLast(({ name }) => name === 'UID SEARCH')?.line ?? ''
    let depth = 0
    const depths = [...said].map((sign) => (depth += sign === '(' ? 1 : sign === ')' ? -1 : 0))
    expect(Math.max(...depths)).toBeLessThan(12)
  })
})
