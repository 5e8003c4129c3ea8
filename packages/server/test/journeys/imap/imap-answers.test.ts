/** Unusual responses of mail servers, which common servers do not send. */

import { literal, type ScriptedOptions } from '@waypost/testing/peers/scripted-imap'
import { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { expectStatus, type Json, pagesOf } from '../../conformance/accounts.ts'
import type { TestService } from '../../harness.ts'
import { messages, mimeMessage, openScripted, openScriptedService, subjectsOf } from '../scripted-account.ts'

let service: TestService
beforeAll(async () => {
  service = await openScriptedService()
})
afterAll(() => service?.[Symbol.asyncDispose]())
interface Handed {
  payload: Buffer
}
const open = (options: ScriptedOptions, subjects?: readonly string[]) => openScripted(service, options, subjects)

describe('responses of a mail server', () => {
  test('in several pieces are combined, and flags of other messages are ignored', async () => {
    await using at = await open(
      {
        script({ name, tag, args }, line) {
          if (name !== 'UID FETCH' || !JSON.stringify(args).includes('HEADER.FIELDS')) return false
          const said = (line.selected?.messages ?? []).flatMap(({ uid, source, date }, place) => [
            `* ${place + 1} FETCH (UID ${uid} RFC822.SIZE ${source.length})`,
            `* 9 FETCH (UID 99 FLAGS (\\Seen))`,
            `* ${place + 1} FETCH (UID ${uid} BODY[HEADER.FIELDS ("SUBJECT" "DATE")] ${literal(`${source.split('\r\n\r\n')[0]}\r\n\r\n`)} INTERNALDATE "${date.getUTCDate()}-Jun-2026 12:0${place}:00 +0000")`,
            `* ${place + 1} FETCH (UID ${uid} FLAGS (\\Flagged))`,
          ])
          line.say(...said.reverse(), `${tag} OK done`)
          return true
        },
      },
      ['first', 'second'],
    )
    expect(await subjectsOf(at.account)).toEqual(['second', 'first'])
    expect((await messages(at.account)).map(({ date }) => date)).toEqual([1780315260, 1780315200])
  })

  test('with NIL for an empty message return that message', async () => {
    await using at = await open({
      item: (name, { source }) => (source === '' && name === 'BODY.PEEK[]' ? 'BODY[] NIL' : undefined),
    })
    at.server.add('')
    const [message] = await messages(at.account)
    expect(message).toMatchObject({ subject: '', body: '', from: [], attachments: [] })
    expectStatus(await at.account.get(`/messages/${message.id}`), 200)
  })

  test('without INTERNALDATE fall back to the Date header', async () => {
    await using at = await open({ item: (name) => (name === 'INTERNALDATE' ? '' : undefined) }, ['undated'])
    expect(await messages(at.account)).toMatchObject([{ subject: 'undated', date: 1780315200 }])
  })

  test('without the structure of a large message cause its bytes to be read', async () => {
    const parts = ['Text within', Buffer.alloc(200_000, 'x').toString()]
    const [text = '', file = ''] = parts
    const body = `--b\r\nContent-Type: text/plain\r\n\r\n${text}\r\n--b\r\nContent-Disposition: attachment; filename=large.txt\r\n\r\n${file}\r\n--b--`
    for (const structure of ['BODYSTRUCTURE NIL', 'BODYSTRUCTURE (NIL NIL)', '']) {
      await using at = await open({ item: (name) => (name === 'BODYSTRUCTURE' ? structure : undefined) })
      at.server.add(mimeMessage('large', { headers: 'Content-Type: multipart/mixed; boundary=b\r\n', text: body }))
      const [message] = await messages(at.account)
      expect(message).toMatchObject({ subject: 'large', body: text, attachments: [{ filename: 'large.txt' }] })
    }
  })

  describe('that are long', () => {
    /** imapflow parses responses synchronously and blocks every other request, so no long response may reach it. */
    const longest = vi.spyOn(
      ImapFlow.prototype as unknown as { handleResponse(data: Handed): unknown },
      'handleResponse',
    )
    const handed = (): number => Math.max(0, ...longest.mock.calls.map(([{ payload }]) => payload.length))
    beforeEach(() => void longest.mockClear())
    const large = mimeMessage('large', { text: 'x'.repeat(150_000) })

    test('for a mail with thousands of parts return the first parts and report the shortening', async () => {
      const structure = `BODYSTRUCTURE (${'("TEXT" "PLAIN" NIL NIL NIL "7BIT" 1 1)'.repeat(9_000)} "MIXED")`
      await using at = await open({ item: (name) => (name === 'BODYSTRUCTURE' ? structure : undefined) })
      at.server.add(large)
      const listed = expectStatus(await at.account.get('/messages'), 200)
      const [{ id }] = listed.body.data
      expect(listed.body.data).toMatchObject([{ subject: 'large' }])
      expect(listed.headers.get('x-shortened-messages')).toBe(id)
      const got = expectStatus(await at.account.get(`/messages/${id}`), 200)
      expect(got.headers.get('x-shortened-messages')).toBe(id)
      for (const path of ['/threads', `/threads/${listed.body.data[0].thread_id}`]) {
        expect(expectStatus(await at.account.get(path), 200).headers.get('x-shortened-messages')).toBe(id)
      }
      expect(handed()).toBeLessThan(40_000)
    })

    test('for a draft with thousands of parts are reported as shortened under the draft id', async () => {
      const structure = `BODYSTRUCTURE (${'("TEXT" "PLAIN" NIL NIL NIL "7BIT" 1 1)'.repeat(9_000)} "MIXED")`
      await using at = await open({ item: (name) => (name === 'BODYSTRUCTURE' ? structure : undefined) })
      at.server.addFolder('Drafts', ['\\Drafts'])
      at.server.add(large, { folder: 'Drafts' })
      const listed = expectStatus(await at.account.get('/drafts'), 200)
      const [{ id }] = listed.body.data
      expect(listed.headers.get('x-shortened-messages')).toBe(id)
      const got = expectStatus(await at.account.get(`/drafts/${id}`), 200)
      expect(got.headers.get('x-shortened-messages')).toBe(id)
    })

    test('with long keywords, envelopes, codes or unrequested items are skipped', async () => {
      const words = Array.from({ length: 10_000 }, (_, at) => `"Keyword ${at}"`).join(' ')
      const people = `ENVELOPE (NIL NIL (${'("P" NIL "p" "example.com")'.repeat(5_000)}) NIL NIL NIL NIL NIL NIL NIL)`
      await using at = await open(
        {
          item: (name) => (name === 'FLAGS' ? `FLAGS (${words} \\Flagged) ${people}` : undefined),
          script({ name }, line) {
            if (name === 'UID FETCH') line.say(`* XTHING ${'(a '.repeat(50_000)}`, `* OK [XCODE ${words}] x`)
            return false
          },
        },
        ['first', 'second'],
      )
      expect(await messages(at.account)).toMatchObject([
        { subject: 'second', starred: true, unread: true },
        { subject: 'first', starred: true },
      ])
      expect(handed()).toBeLessThan(40_000)
    })

    test('that cannot be parsed fail the request instead of returning nothing', async () => {
      await using at = await open(
        { item: (name) => (name === 'RFC822.SIZE' ? `RFC822.SIZE ${'('.repeat(50_000)}` : undefined) },
        ['first'],
      )
      expect((await at.account.get('/messages')).status).toBeGreaterThanOrEqual(400)
      expect(handed()).toBeLessThan(40_000)
    })

    test('to a search are limited to the number of messages in the folder', async () => {
      const numbers = Array.from({ length: 300_000 }, (_, at) => at + 1).join(' ')
      await using at = await open(
        {
          script({ name, tag }, line) {
            if (name !== 'UID SEARCH') return false
            line.say(`* SEARCH ${numbers}`, `${tag} OK done`)
            return true
          },
        },
        ['first'],
      )
      expect(await subjectsOf(at.account, { unread: true })).toEqual(['first'])
      expect(handed()).toBeLessThan(40_000)
    })
  })

  test('with too many folders reject the account with a clear message instead of hiding mail', async () => {
    let folders = 0
    await using at = await open(
      {
        script({ name, tag }, line) {
          if (name !== 'LIST' || folders === 0) return false
          line.say(
            ...Array.from({ length: folders }, (_, place) => `* LIST () "/" "Folder ${place}"`),
            `${tag} OK done`,
          )
          return true
        },
      },
      ['first'],
    )
    folders = 20_001
    for (const path of ['/folders', '/messages']) {
      expect(await at.account.get(path)).toMatchObject({
        status: 400,
        body: { error: { message: 'the account has more than 20000 folders' } },
      })
    }
    folders = 0
    expect(await subjectsOf(at.account)).toEqual(['first'])
  })

  test('with a change counter that never changes cause flags to be read each time', async () => {
    const status = ({ messages: { length }, uidNext }: { messages: unknown[]; uidNext: number }) =>
      `MESSAGES ${length} UNSEEN 0 UIDNEXT ${uidNext} UIDVALIDITY 1 HIGHESTMODSEQ 0`
    await using at = await open({ capabilities: ['ENABLE', 'CONDSTORE'], status }, ['first'])
    expect(await messages(at.account)).toMatchObject([{ unread: true }])
    at.server.folder('INBOX').messages[0]?.flags.add('\\Seen')
    expect(await messages(at.account)).toMatchObject([{ unread: false }])
  })

  test('with wrong sizes in a search do not hide a message without Message-ID', async () => {
    await using at = await open({
      script({ name, tag, line: said }, line) {
        if (name !== 'UID SEARCH' || !said.includes('LARGER')) return false
        line.say('* SEARCH', `${tag} OK done`)
        return true
      },
    })
    at.server.addFolder('Archive')
    const inbox = at.server.folder('INBOX')
    const { source, date } = at.server.add('From: ada@example.com\r\nSubject: nameless\r\n\r\nText\r\n')
    const [{ id }] = await messages(at.account)
    inbox.messages = []
    at.server.add(source, { folder: 'Archive', date })
    const moved = expectStatus(await at.account.get(`/messages/${id}`), 200).body.data
    expect(moved).toMatchObject({ subject: 'nameless', folders: ['Archive'] })
  })

  test('with complete messages that would fill the memory come in short pages', async () => {
    await using at = await open(
      { item: (name) => (name === 'RFC822.SIZE' ? `RFC822.SIZE ${15 * 1024 * 1024}` : undefined) },
      ['first', 'second', 'third'],
    )
    const pages = await pagesOf(at.account, '/messages', { fields: 'raw_mime' })
    expect(pages.map(({ length }) => length)).toEqual([2, 1])
  })

  test('that refuse one message leave the others', async () => {
    await using at = await open(
      {
        script({ name, tag, args }, line) {
          const requested = JSON.stringify(args)
          const names = String(args[0]).split(/[,:]/).map(Number)
          const isIn = names.includes(2) || ((names[0] ?? 0) < 2 && (names[1] ?? 0) > 2)
          if (name !== 'UID FETCH' || !requested.includes('BODY.PEEK[]') || !isIn) return false
          line.say(`${tag} NO The message could not be converted`)
          return true
        },
      },
      ['first', 'second', 'third'],
    )
    const answer = expectStatus(await at.account.get('/messages'), 200)
    expect(answer.body.data.map(({ subject }: Json) => subject)).toEqual(['third', '', 'first'])
    const id = answer.body.data[1].id
    expect(answer.headers.get('x-unreadable-messages')).toBe(id)
    const single = await at.account.get(`/messages/${id}`)
    expect(single).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('cannot be read') } },
    })
  })

  test('that report a temporary failure are passed on as such', async () => {
    await using at = await open(
      {
        script({ name, tag }, line) {
          if (name !== 'UID FETCH') return false
          line.say(`${tag} NO [UNAVAILABLE] The disk is away`)
          return true
        },
      },
      ['first'],
    )
    expect(await at.account.get('/messages')).toMatchObject({ status: 504 })
  })

  test('that explain a refused change are passed on to the application', async () => {
    await using at = await open({
      script({ name, tag }, line) {
        if (name !== 'UID COPY') return false
        line.say(`${tag} NO [OVERQUOTA] Quota exceeded`)
        return true
      },
    })
    at.server.addFolder('Archive')
    at.server.add(mimeMessage('heavy'))
    const [message] = await messages(at.account)
    const answer = await at.account.put(`/messages/${message.id}`, { folders: ['Archive'] })
    expect(answer).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('full') } } })
    expect(at.server.folder('INBOX').messages).toHaveLength(1)
  })
})
