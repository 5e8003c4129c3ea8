/** The next page of a list is requested together with the state of the folders, and shows that state. */

import { literal, type ScriptedOptions } from '@waypost/testing/peers/scripted-imap'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus } from '../../conformance/accounts.ts'
import type { TestService } from '../../harness.ts'
import { mimeMessage, openScripted, openScriptedService, subjectsOf } from '../scripted-account.ts'

let service: TestService
beforeAll(async () => {
  service = await openScriptedService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const subjects = ['six', 'five', 'four', 'three', 'two', 'one']

/** An account whose first page was read, and the commands since then. */
async function openAtSecondPage(options: ScriptedOptions = {}) {
  const at = await openScripted(service, options, subjects)
  // Earlier connections may not have seen the new messages.
  await subjectsOf(at.account, { limit: 2 })
  const { body } = expectStatus(await at.account.get('/messages', { limit: 2 }), 200)
  const before = at.server.commands.length
  return {
    ...at,
    next: (query = {}) => subjectsOf(at.account, { limit: 2, page_token: body.next_cursor, ...query }),
    nextPage: async () =>
      expectStatus(await at.account.get('/messages', { limit: 2, page_token: body.next_cursor }), 200).body.data,
    names: () => at.server.commands.slice(before).map(({ name }) => name),
  }
}

/** Whether a command requests complete messages. */
const asksForBytes = (name: string, args: unknown): boolean =>
  name === 'UID FETCH' && JSON.stringify(args).includes('BODY.PEEK[]')

describe('a page that was never read', () => {
  test('is requested once, together with the listing', async () => {
    await using at = await openAtSecondPage()
    expect(await at.next()).toEqual(['three', 'four'])
    expect(at.names().slice(0, 3)).toEqual(['LIST', 'NOOP', 'UID FETCH'])
    expect(at.server.commands.filter(({ name, args }) => asksForBytes(name, args))).toHaveLength(2)
  })

  test('may arrive before the listing', async () => {
    let held: string | undefined
    let isHolding = false
    await using at = await openAtSecondPage({
      script({ name, tag, args }, line, server) {
        if (isHolding && name === 'LIST') {
          held = tag
          return true
        }
        if (held === undefined || !asksForBytes(name, args)) return false
        const found = server.folder('INBOX').messages.slice(2, 4)
        line.say(
          ...found.map(({ uid, source }) => `* ${uid} FETCH (UID ${uid} FLAGS (\\Seen) BODY[] ${literal(source)})`),
          `${tag} OK done`,
          ...server.folders.map(({ path }) => `* LIST () "/" "${path}"`),
          `${held} OK done`,
        )
        held = undefined
        isHolding = false
        return true
      },
    })
    isHolding = true
    const page = await at.nextPage()
    expect(page).toMatchObject([
      { subject: 'three', unread: false },
      { subject: 'four', unread: false },
    ])
  })

  test('shows changes that were made a moment ago', async () => {
    await using at = await openAtSecondPage()
    const inbox = at.server.folder('INBOX')
    const [, , , three] = inbox.messages
    three?.flags.add('\\Flagged')
    inbox.messages = inbox.messages.filter(({ source }) => !source.includes('Subject: four'))
    expect(await at.nextPage()).toMatchObject([{ subject: 'three', starred: true }, { subject: 'five' }])
  })

  test('shows the current state even if the server reports an old one until NOOP', async () => {
    let isBehind = false
    await using at = await openAtSecondPage({
      capabilities: ['UIDPLUS', 'IDLE', 'LIST-STATUS'],
      script({ name, tag }, line, server) {
        if (!isBehind || (name !== 'LIST' && name !== 'NOOP')) return false
        const { uidValidity } = server.folder('INBOX')
        const before = `* STATUS "INBOX" (MESSAGES 6 UNSEEN 6 UIDNEXT 7 UIDVALIDITY ${uidValidity})`
        if (name === 'LIST') line.say('* LIST () "/" "INBOX"', before, `${tag} OK done`)
        else line.say('* 7 EXISTS', `${tag} OK done`)
        isBehind = name === 'LIST'
        return true
      },
    })
    isBehind = true
    at.server.add(mimeMessage('late'), { date: new Date(Date.UTC(2026, 5, 1, 12, 3, 30)) })
    expect(await at.next()).toEqual(['late', 'three'])
  })

  const news = [
    '* 5 EXISTS',
    '* 1 EXPUNGE',
    '* VANISHED 1',
    '* 6 FETCH (FLAGS (\\Flagged))',
    '* 6 FETCH (UID 6 FLAGS ())',
  ]
  const nothing = ['* 6 EXISTS', '* 0 RECENT', '* 4 FETCH (UID 4 FLAGS (\\Flagged))', '* OK still here']
  test.each([...news.map((reported) => [reported, 2] as const), ...nothing.map((reported) => [reported, 1] as const)])(
    'after %s in response to NOOP is preceded by %i folder lists',
    async (reported, polls) => {
      let isTelling = false
      await using at = await openAtSecondPage({
        script({ name, tag }, line) {
          if (name !== 'NOOP' || !isTelling) return false
          line.say(reported, `${tag} OK done`)
          return true
        },
      })
      isTelling = true
      expect(await at.next()).toEqual(['three', 'four'])
      expect(at.names().filter((name) => name === 'LIST')).toHaveLength(polls)
    },
  )

  test('shows flags that the server reports after the messages, before the end of the NOOP', async () => {
    let noop: string | undefined
    let isTelling = false
    await using at = await openAtSecondPage({
      script({ name, tag, args }, line, server) {
        if (!isTelling) return false
        if (name === 'NOOP') noop = tag
        if (noop === undefined || !asksForBytes(name, args)) return name === 'NOOP'
        isTelling = false
        const found = server.folder('INBOX').messages.slice(2, 4)
        line.say(
          ...found.map(({ uid, source }) => `* ${uid} FETCH (UID ${uid} FLAGS () BODY[] ${literal(source)})`),
          `${tag} OK done`,
          '* 4 FETCH (UID 4 FLAGS (\\Flagged))',
          `${noop} OK done`,
        )
        server.folder('INBOX').messages[3]?.flags.add('\\Flagged')
        return true
      },
    })
    isTelling = true
    expect(await at.nextPage()).toMatchObject([
      { subject: 'three', starred: true },
      { subject: 'four', starred: false },
    ])
  })

  test('of a recreated folder is read again', async () => {
    await using at = await openAtSecondPage()
    const inbox = at.server.folder('INBOX')
    inbox.uidValidity++
    inbox.messages = []
    at.server.add(mimeMessage('anew'), { date: new Date(Date.UTC(2026, 4, 1)) })
    expect(await at.next()).toEqual(['anew'])
  })

  test('is read by the ordinary fetch if the prefetch fails', async () => {
    let refusals = 1
    await using at = await openAtSecondPage({
      script({ name, tag, args }, line) {
        if (!asksForBytes(name, args) || !JSON.stringify(args).includes('3:4') || refusals-- <= 0) return false
        line.say(`${tag} BAD not now`)
        return true
      },
    })
    expect(await at.next()).toEqual(['three', 'four'])
  })
})

test('cached messages are not prefetched', async () => {
  await using at = await openAtSecondPage()
  await at.next()
  const before = at.server.commands.length
  await at.next()
  const requested = at.server.commands.slice(before).filter(({ name, args }) => asksForBytes(name, args))
  expect(requested).toEqual([])
})
