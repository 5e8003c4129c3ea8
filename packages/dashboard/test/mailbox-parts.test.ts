/** Folders, searches, addresses, texts and links of the mailbox. */
import type { Folder, Message } from '@waypost/sdk'
import { describe, expect, test } from 'vitest'
import { isMisleading, placeOf } from '../src/components/link-place.ts'
import { isHtml, piecesOf } from '../src/frame/plain-text.ts'
import { forward, peopleIn, replyTo } from '../src/pages/mailbox/compose-draft.ts'
import { folderTree } from '../src/pages/mailbox/folder-tree.ts'
import { messagesQuery, threadsQuery } from '../src/pages/mailbox/mail-filter.ts'
import { saySize } from '../src/pages/mailbox/sizes.ts'

const folder = (name: string, attributes: string[] = [], rest: Partial<Folder> = {}): Folder => ({
  ...{ id: name, grant_id: 'g', object: 'folder' as const, name, attributes },
  ...rest,
})
const tree = (folders: Folder[]): string[] =>
  folderTree(folders).map(({ name, depth }) => `${'-'.repeat(depth)}${name}`)

describe('folders', () => {
  test('of an IMAP server are a tree by path, standard folders first', () => {
    const all = [folder('Work'), folder('Work.Harbour.Crane'), folder('Work.Harbour'), folder('Workshop')]
    const usual = [
      folder('Papierkorb', ['\\Trash']),
      folder('INBOX', ['\\Inbox']),
      folder('INBOX.Gesendet', ['\\Sent']),
    ]
    expect(tree([...all, ...usual, folder('INBOX/Old')])).toEqual([
      ...['Inbox', '-Old', 'Sent', 'Trash', 'Work', '-Harbour', '--Crane', 'Workshop'],
    ])
  })

  test('of Exchange are a tree by parent, even if a parent is not listed', () => {
    const child = folder('Old', [], { parent_id: 'in' })
    const lost = folder('Lost', [], { parent_id: 'root' })
    expect(tree([child, lost, folder('Posteingang', ['\\Inbox'], { id: 'in', parent_id: 'root' })])).toEqual([
      ...['Inbox', '-Old', 'Lost'],
    ])
  })

  test('of Google are its labels with plain names, without marks', () => {
    const system = { system_folder: true }
    const labels = ['INBOX', 'UNREAD', 'STARRED', 'CATEGORY_PROMOTIONS'].map((name) => folder(name, [], system))
    expect(tree([...labels, folder('Trips/Paris'), folder('Trips')])).toEqual([
      ...['Inbox', 'Promotions', 'Starred', 'Trips', '-Paris'],
    ])
  })
})

describe('a search', () => {
  test('uses the filters of the API, with whole days', () => {
    const filter = {
      q: 'plan',
      from: 'a@x.org, b@x.org',
      unread: 'yes',
      starred: 'no',
      after: '2026-11-02',
      before: '2026-11-02',
    }
    const start = new Date('2026-11-02T00:00:00').getTime() / 1000
    const common = { in: 'inbox', q: 'plan', from: ['a@x.org', 'b@x.org'], unread: true, starred: false }
    expect(messagesQuery(filter, 'inbox')).toEqual({
      ...common,
      received_after: start - 1,
      received_before: start + 86_400,
    })
    expect(threadsQuery(filter, 'inbox')).toEqual({
      ...common,
      latest_message_after: start - 1,
      latest_message_before: start + 86_400,
    })
  })

  test('in the provider’s native language is combined only with the folder', () => {
    const filter = { q: 'plan', native: 'from:ada', after: '2026-11-02' }
    expect(messagesQuery(filter, 'inbox')).toEqual({ in: 'inbox', search_query_native: 'from:ada' })
    expect(threadsQuery({ after: 'no day' }, undefined)).toEqual({})
  })
})

const letter: Message = {
  ...{ id: 'm', grant_id: 'g', object: 'message', subject: 'Plan', date: 1_793_000_000 },
  from: [{ name: 'Jonas, W', email: 'jonas@x.org' }],
  to: [{ email: 'Ada@x.org' }, { email: 'bo@x.org' }],
  cc: [{ email: 'cy@x.org' }],
  body: '<style>p{}</style><p>One</p><p>&gt; two</p>',
}

describe('a reply', () => {
  test('goes to the sender, or also to all others, and never to oneself', () => {
    expect(replyTo(letter, 'ada@x.org', false)).toMatchObject({
      ...{ to: 'Jonas  W <jonas@x.org>', cc: '', subject: 'Re: Plan', answers: 'm' },
      body: expect.stringMatching(/ wrote:\n> One\n>> two\n$/),
    })
    expect(replyTo(letter, 'ada@x.org', true)).toMatchObject({ cc: 'bo@x.org, cy@x.org' })
    const named = { ...letter, subject: 're: Plan', reply_to: [{ email: 'list@x.org' }] }
    expect(replyTo(named, 'ada@x.org', false)).toMatchObject({ to: 'list@x.org', subject: 're: Plan' })
    expect(replyTo(letter, 'jonas@x.org', false).to).toBe('Ada@x.org, bo@x.org')
  })

  test('as a forward names the original sender and has its attachments', () => {
    expect(forward(letter)).toMatchObject({ to: '', subject: 'Fwd: Plan', filesOf: letter })
    expect(forward(letter).body).toContain('From: Jonas  W <jonas@x.org>')
  })

  test('is sent to recipients as typed', () => {
    expect(peopleIn(' a@x.org; "B C" <b@x.org>,, Dee <d@x.org>')).toEqual([
      { email: 'a@x.org' },
      { name: 'B C', email: 'b@x.org' },
      { name: 'Dee', email: 'd@x.org' },
    ])
  })
})

describe('a body', () => {
  test('is recognized as HTML by its elements, not by similar text', () => {
    for (const html of ['<p>x</p>', 'a<br>b', '<!DOCTYPE html>', '<table\n width=1>', '<IMG src=x>'])
      expect(isHtml(html)).toBe(true)
    for (const text of ['From <ada@x.org>', 'a < b > c', 'if (a<b && c>d)', '<3', '<https://x.org>', ''])
      expect(isHtml(text)).toBe(false)
  })

  test('has its addresses as links, without closing punctuation', () => {
    expect(piecesOf('See https://x.org/a?b=1#c. Or <http://y.org>!')).toEqual([
      { text: 'See ' },
      { text: 'https://x.org/a?b=1#c', href: 'https://x.org/a?b=1#c' },
      { text: '. Or <' },
      { text: 'http://y.org', href: 'http://y.org' },
      { text: '>!' },
    ])
    expect(piecesOf('javascript:alert(1) data:text/html,x')).toEqual([{ text: 'javascript:alert(1) data:text/html,x' }])
  })
})

test('a link is misleading if its text names another host', () => {
  expect(isMisleading('https://evil.example/x', 'https://bank.example/login')).toBe(true)
  expect(isMisleading('https://bank.example.evil.example', 'bank.example')).toBe(true)
  expect(isMisleading('https://www.bank.example/a', 'bank.example')).toBe(false)
  expect(isMisleading('https://login.bank.example/a', 'www.bank.example')).toBe(false)
  expect(isMisleading('https://track.example/a', 'Read more')).toBe(false)
  expect(placeOf('mailto:ada%40x.org?subject=a')).toBe('ada@x.org')
  expect(placeOf('https://user:pass@x.org:8443/a')).toBe('x.org:8443')
})

test('sizes have units', () => {
  expect([0, 1023, 1024, 150_000, 3_145_728].map(saySize)).toEqual([
    '0 bytes',
    '1023 bytes',
    '1.0 KB',
    '146 KB',
    '3.0 MB',
  ])
})
