/** Messages that only look alike: each stays what it is, whatever is done to the other. */

import type { ScriptedImap, ScriptedOptions } from '@waypost/testing/peers/scripted-imap'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Account, expectStatus, type Json } from '../../conformance/accounts.ts'
import type { TestService } from '../../harness.ts'
import { messages, openScripted, openScriptedService } from '../scripted-account.ts'

let service: TestService
beforeAll(async () => {
  service = await openScriptedService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const head =
  'From: Ada <ada@example.com>\r\nTo: mira@mail.test\r\nSubject: Same\r\nDate: Mon, 01 Jun 2026 12:00:00 +0000\r\n'
const source = (text: string, id = '<same@example.com>'): string => `${head}Message-ID: ${id}\r\n\r\n${text}\r\n`
const nameless = (text: string): string => `${head}\r\n${text}\r\n`
const date = new Date(Date.UTC(2026, 5, 1, 12))

/** Whatever lies in the mailbox, each text as often as it is there. */
const textsIn = (server: ScriptedImap, path?: string): string[] =>
  server.folders
    .filter((folder) => path === undefined || folder.path === path)
    .flatMap((folder) => folder.messages.map((message) => message.source.split('\r\n\r\n')[1]?.trim() ?? ''))
    .toSorted()

const digests = new Map<string, string>()
const serverNamed = (name: string) => ({
  item(item: string, message: { source: string }): string | undefined {
    if (item !== name) return undefined
    if (!digests.has(message.source)) digests.set(message.source, String(digests.size + 1))
    const id = digests.get(message.source)
    return name === 'EMAILID' ? `EMAILID (M${id})` : `X-GM-MSGID ${id}`
  },
})

/** What servers say of messages, and what they can do. */
const kinds: [string, ScriptedOptions][] = [
  ['neither names nor MOVE nor UIDPLUS', { capabilities: [] }],
  ['UIDPLUS', { capabilities: ['UIDPLUS'] }],
  ['EMAILID', { capabilities: ['UIDPLUS', 'OBJECTID'], ...serverNamed('EMAILID') }],
  ['X-GM-MSGID', { capabilities: ['UIDPLUS', 'X-GM-EXT-1'], ...serverNamed('X-GM-MSGID') }],
]

/** Pairs that a server tells nothing different of, or only the size. */
const pairs: [string, string, string][] = [
  ['of different sizes', source('The text with its attachment'), source('The text alone')],
  ['of one size', source('Text A'), source('Text B')],
  ['without a Message-ID', nameless('Text A'), nameless('Text B')],
  ['that differ in the middle of much text', source(`${'x'.repeat(200_000)}A`), source(`${'x'.repeat(200_000)}B`)],
]

async function openPair(options: ScriptedOptions, a: string, b: string, folders: [string, string]) {
  const at = await openScripted(service, options)
  for (const folder of ['Archive', 'Work']) at.server.addFolder(folder)
  at.server.addFolder('Trash', ['\\Trash'])
  at.server.add(a, { folder: folders[0], date })
  at.server.add(b, { folder: folders[1], date })
  return at
}

const pathOf = ({ id }: Json): string => `/messages/${encodeURIComponent(id)}`
const textOf = (of: string): string => of.split('\r\n\r\n')[1]?.trim() ?? ''
const withText = async (account: Account, text: string): Promise<Json> => {
  const found = (await messages(account)).filter(({ body }) => body.includes(text))
  expect(found, `messages with the text ${text.slice(-10)}`).toHaveLength(1)
  return found[0]
}

describe.each(kinds)('at a server with %s, two messages', (_, options) => {
  describe.each(pairs)('%s', (_, a, b) => {
    test.each([
      ['in one folder', ['INBOX', 'INBOX']],
      ['in two folders', ['INBOX', 'Archive']],
    ] as [string, [string, string]][])('%s are two, in lists and by id, and keep their bytes', async (_, folders) => {
      await using at = await openPair(options, a, b, folders)
      const found = await messages(at.account)
      expect(found).toHaveLength(2)
      for (const message of found) {
        expect(message.folders).toHaveLength(1)
        const read = expectStatus(await at.account.get(pathOf(message)), 200).body.data
        expect(read).toEqual(message)
      }
      const [one, other] = [await withText(at.account, textOf(a)), await withText(at.account, textOf(b))]
      // Moved to where the other is, and away again.
      for (const folder of [folders[1], 'Work', folders[1]]) {
        const moved = expectStatus(await at.account.put(pathOf(one), { folders: [folder] }), 200).body.data
        expect(moved).toMatchObject({ id: one.id, folders: [folder], body: one.body })
        expect(textsIn(at.server)).toEqual([textOf(a), textOf(b)].sort())
        expect(expectStatus(await at.account.get(pathOf(other)), 200).body.data).toEqual(other)
      }
      expectStatus(await at.account.delete(pathOf(one)), 200)
      expect(textsIn(at.server, 'Trash')).toEqual([textOf(a)])
      expectStatus(await at.account.delete(pathOf(other)), 200)
      expect(textsIn(at.server, 'Trash')).toEqual([textOf(a), textOf(b)].sort())
      expectStatus(await at.account.call('PATCH', '/v3/applications', { body: { allow_hard_delete: true } }), 200)
      expectStatus(await at.account.delete(pathOf(one), { hard_delete: true }), 200)
      expect(textsIn(at.server)).toEqual([textOf(b)])
      expectStatus(await at.account.delete(pathOf(one), { hard_delete: true }), 404)
      expect(textsIn(at.server)).toEqual([textOf(b)])
      expect(expectStatus(await at.account.get(pathOf(other)), 200).body.data.body).toBe(other.body)
    })
  })

  test('in one thread both move with the thread', async () => {
    await using at = await openPair(options, source('Text A'), source('Text B'), ['INBOX', 'Archive'])
    const [first] = await messages(at.account)
    const thread = `/threads/${encodeURIComponent(first.thread_id)}`
    const moved = expectStatus(await at.account.put(thread, { folders: ['Work'] }), 200).body.data
    expect(moved.message_ids).toHaveLength(2)
    expect(textsIn(at.server, 'Work')).toEqual(['Text A', 'Text B'])
    expectStatus(await at.account.delete(thread), 200)
    expect(textsIn(at.server, 'Trash')).toEqual(['Text A', 'Text B'])
  })

  test('with the same bytes are one; a move or deletion removes neither', async () => {
    await using at = await openPair(options, source('Text'), source('Text'), ['INBOX', 'INBOX'])
    const [message, ...others] = await messages(at.account)
    expect(others).toEqual([])
    expectStatus(await at.account.put(pathOf(message), { folders: ['Work'] }), 200)
    expect(textsIn(at.server, 'Work')).toEqual(['Text', 'Text'])
    expectStatus(await at.account.delete(pathOf(message)), 200)
    expect(textsIn(at.server, 'Trash')).toEqual(['Text', 'Text'])
    expect(await messages(at.account)).toMatchObject([{ id: message.id, folders: ['Trash'] }])
  })

  test('with the same bytes become one if `folders` says so', async () => {
    await using at = await openPair(options, source('Text'), source('Text'), ['INBOX', 'Archive'])
    const [message] = await messages(at.account)
    expect(message.folders).toEqual(['Archive', 'INBOX'])
    expectStatus(await at.account.put(pathOf(message), { folders: ['Archive'] }), 200)
    expect(at.server.folders.filter((folder) => folder.messages.length > 0).map(({ path }) => path)).toEqual([
      'Archive',
    ])
  })
})

test('a copy is not removed if the remaining copy was deleted in the meantime', async () => {
  let isGone = false
  await using at = await openPair(
    {
      script({ name }, line, server) {
        if (name !== 'NOOP' || !isGone || line.selected?.path !== 'Archive') return false
        server.folder('Archive').messages = []
        isGone = false
        return false
      },
    },
    source('Text'),
    source('Text'),
    ['INBOX', 'Archive'],
  )
  const [message] = await messages(at.account)
  isGone = true
  expectStatus(await at.account.put(pathOf(message), { folders: ['Archive'] }), 409)
  expect(textsIn(at.server)).toEqual(['Text'])
  const moved = expectStatus(await at.account.put(pathOf(message), { folders: ['Archive'] }), 200).body.data
  expect(moved).toMatchObject({ id: message.id, folders: ['Archive'] })
})

describe('an id of the earlier form', () => {
  const earlier = (id: string): string => {
    const bytes = Buffer.from(id.slice(1), 'base64url')
    return `m${Buffer.concat([bytes.subarray(0, 6), bytes.subarray(10)]).toString('base64url')}`
  }

  test('finds its message, with its metadata', async () => {
    await using at = await openPair({}, source('Text A'), source('Text B', '<other@example.com>'), ['INBOX', 'INBOX'])
    const message = await withText(at.account, 'Text A')
    const path = `/messages/${earlier(message.id)}`
    expect(expectStatus(await at.account.get(path), 200).body.data).toEqual(message)
    // As it was kept before.
    expectStatus(await at.account.put(path, { metadata: { key1: 'kept' } }), 200)
    const renamed = sql('test.rename', 'update message_metadata set message_id = $1 where message_id = $2')
    expect(await service.services.storage.database.run(renamed, [earlier(message.id), message.id])).toBe(1)
    expect(await withText(at.account, 'Text A')).toEqual({ ...message, metadata: { key1: 'kept' } })
    expect(await messages(at.account, { metadata_pair: 'key1:kept' })).toMatchObject([{ id: message.id }])
    expectStatus(await at.account.put(pathOf(message), { metadata: { key1: 'newer' } }), 200)
    expect(await messages(at.account, { metadata_pair: 'key1:kept' })).toEqual([])
    const moved = expectStatus(await at.account.put(path, { folders: ['Work'] }), 200).body.data
    expect(moved).toMatchObject({ id: message.id, folders: ['Work'] })
  })

  test('that matches two different messages shows the first, and changes none', async () => {
    await using at = await openPair({}, source('Text A'), source('Longer text'), ['INBOX', 'Archive'])
    const [one, other] = await messages(at.account)
    const path = `/messages/${earlier(one.id)}`
    expect(earlier(other.id)).toBe(earlier(one.id))
    expect([one.id, other.id]).toContain(expectStatus(await at.account.get(path), 200).body.data.id)
    const { error } = expectStatus(await at.account.put(path, { folders: ['Work'] }), 409).body
    expect(error.message).toContain(one.id)
    expect(error.message).toContain(other.id)
    expectStatus(await at.account.delete(path), 409)
    expect(textsIn(at.server, 'INBOX')).toEqual(['Text A'])
    expect(textsIn(at.server, 'Archive')).toEqual(['Longer text'])
  })
})

describe('very many messages that look alike', () => {
  test('are listed without comparing their bytes, and moved one by one', async () => {
    await using at = await openScripted(service, {})
    at.server.addFolder('Work')
    for (let number = 0; number < 900; number++) at.server.add(source(`Text ${1000 + number}`), { date })
    const page = await messages(at.account, { limit: 20 })
    expect(new Set(page.map(({ id }) => id)).size).toBe(20)
    const bodies = at.server.commands.filter(({ name, line }) => name === 'UID FETCH' && line.includes('BODY.PEEK[]'))
    expect(bodies).toHaveLength(1)
    const [message] = page
    const moved = expectStatus(await at.account.put(pathOf(message), { folders: ['Work'] }), 200).body.data
    expect(moved).toMatchObject({ folders: ['Work'], body: message.body })
    expect(textsIn(at.server)).toHaveLength(900)
    expect(textsIn(at.server, 'Work')).toEqual([message.body.trim()])
    expectStatus(await at.account.get(pathOf(message)), 404)
    expect(expectStatus(await at.account.get(pathOf(moved)), 200).body.data.body).toBe(message.body)
  })
})

describe('a draft', () => {
  test('that shares its Message-ID with another is changed and deleted alone', async () => {
    await using at = await openScripted(service, {
      script({ name, tag, args }, line, server) {
        if (name !== 'APPEND') return false
        server.add(String(args.at(-1)), { folder: String(args[0]) })
        line.say(`${tag} OK done`)
        return true
      },
    })
    at.server.addFolder('Drafts', ['\\Drafts'])
    for (const text of ['Older', 'Newer']) at.server.add(source(text), { folder: 'Drafts', flags: ['\\Draft'] })
    const list = async (): Promise<Json[]> => expectStatus(await at.account.get('/drafts'), 200).body.data
    const found = await list()
    expect(found.map(({ body }) => body.trim()).toSorted()).toEqual(['Newer', 'Older'])
    const older = found.find(({ body }) => body.includes('Older'))
    const newer = found.find(({ body }) => body.includes('Newer'))
    expectStatus(await at.account.put(`/drafts/${encodeURIComponent(older.id)}`, { body: 'Changed' }), 409)
    expectStatus(await at.account.put(`/drafts/${newer.id}`, { subject: 'Changed' }), 200)
    expect((await list()).map(({ subject }) => subject).toSorted()).toEqual(['Changed', 'Same'])
    expectStatus(await at.account.delete(`/drafts/${newer.id}`), 200)
    expect((await list()).map(({ body }) => body.trim())).toEqual(['Older'])
  })
})
