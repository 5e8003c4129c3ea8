/** An account with too much mail to be read completely, in many folders, all of it years old. */

import type { ScriptedImap } from '@waypost/testing/peers/scripted-imap'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Account, expectStatus, type Json } from '../../conformance/accounts.ts'
import type { TestService } from '../../harness.ts'
import { mimeMessage, openScripted, openScriptedService } from '../scripted-account.ts'

const folders = ['INBOX', ...Array.from({ length: 20 }, (_, number) => `Folder${number}`)]
const each = 1_000
const pageSize = 40
const received = (hour: number): Date => new Date(Date.UTC(2015, 0, 1, hour))

describe('an account of 21,000 messages in 21 folders', () => {
  let service: TestService
  let server: ScriptedImap
  let account: Account
  let numbers: number[] = []
  beforeAll(async () => {
    service = await openScriptedService()
    ;({ server, account } = await openScripted(service, {}))
    for (const path of folders.slice(1)) server.addFolder(path)
    // Two folders contain the newest mail, and no folder is ordered by time.
    numbers = Array.from({ length: folders.length * each }, (_, number) => number)
    for (const number of numbers) {
      const place = number >= numbers.length - 500 ? number % 2 : number % folders.length
      const hour = number % 7 === 0 ? number - 5 : number
      const flags = place === 3 && number % 50 === 0 ? [] : ['\\Seen']
      server.add(mimeMessage(`Number ${number}`), { folder: folders[place] ?? 'INBOX', flags, date: received(hour) })
    }
  })
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await service?.[Symbol.asyncDispose]()
  })

  /** The response to a request, and the folders that it selects. */
  async function ask(query: Record<string, string | number | boolean>) {
    const before = server.commands.length
    const { body } = expectStatus(
      await account.get('/messages', { limit: pageSize, select: 'id,date,subject', ...query }),
      200,
    )
    const commands = server.commands.slice(before)
    const selected = commands.flatMap(({ name, args }) => (name === 'SELECT' ? [String(args[0])] : []))
    return { items: body.data as Json[], next: body.next_cursor as string, selected: new Set(selected) }
  }
  const dates = (items: readonly Json[]): number[] => items.map(({ date }) => date)
  const newestDates = (count: number): number[] =>
    server.folders
      .flatMap(({ messages }) => messages.map(({ date }) => date.getTime() / 1000))
      .sort((a, b) => b - a)
      .slice(0, count)

  test('a page of one folder selects no other folder', async () => {
    const { items, selected } = await ask({ in: 'Folder7' })
    expect(items).toHaveLength(pageSize)
    expect([...selected]).toEqual(['Folder7'])
  })

  test('pages of all folders come newest first, every message once', async () => {
    const found: Json[] = []
    for (let token: string | undefined; found.length < 5 * pageSize; ) {
      const { items, next } = await ask(token === undefined ? {} : { page_token: token })
      found.push(...items)
      token = next
    }
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
    expect(dates(found)).toEqual(newestDates(found.length))
  })

  test('unread messages are searched for only in folders that have some', async () => {
    const { items, selected } = await ask({ unread: true })
    expect(items).toHaveLength(20)
    expect([...selected].filter((path) => path !== 'Folder2')).toEqual([])
  })

  test('a filter that matches nearly everything returns the newest first', async () => {
    const first = await ask({ from: 'ada@example.com' })
    const second = await ask({ from: 'ada@example.com', page_token: first.next })
    expect(dates([...first.items, ...second.items])).toEqual(newestDates(2 * pageSize))
  })

  test('messages before a date are found without newer ones', async () => {
    const { items } = await ask({ received_before: received(100).getTime() / 1000 })
    expect(dates(items)).toEqual(dates(items).toSorted((a, b) => b - a))
    expect(items[0]?.subject).toBe('Number 99')
  })
})
