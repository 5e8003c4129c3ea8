/** Paging through messages while the mailbox changes, for every provider. */
import { describe, expect, test } from 'vitest'
import { expectStatus, ids, type Json, pagesOf, type Query } from './accounts.ts'
import {
  folderIds,
  type MailAccount,
  type MailSubject,
  messagesOf,
  noon,
  subjects,
  withNewAccounts,
} from './mail-subject.ts'
import { newMessageId } from './mime-messages.ts'

export function describeMessagePages(subject: MailSubject): void {
  describe(`pages of messages of ${subject.name}`, () => {
    let account: MailAccount
    withNewAccounts(subject, (fresh) => {
      account = fresh
    })

    /**
     * Delivers messages `1` to `count`, the last the newest, in three folders. Returns their Message-IDs by subject.
     */
    async function fill(count: number): Promise<Map<string, { messageId: string; folder: string }>> {
      const places = ['inbox', 'archive', 'sent']
      const made = new Map<string, { messageId: string; folder: string }>()
      for (let index = 1; index <= count; index++) {
        const folder = places[index % places.length] ?? 'inbox'
        const messageId = newMessageId()
        await account.deliver(
          { subject: String(index), messageId, text: `Number ${index}` },
          { folder, date: noon + index },
        )
        made.set(String(index), { messageId, folder })
      }
      return made
    }
    test('of an export have every message once, with its content', async () => {
      await fill(3)
      const subjectsOf = async (query: Query) => {
        const answer = expectStatus(await account.get('/messages/export', { format: 'mbox', limit: 2, ...query }), 200)
        const text = String(answer.body)
        expect(text.match(/^From /gm)).toHaveLength(text.match(/^Number /gm)?.length ?? 0)
        return { found: text.match(/^Subject: \d/gm) ?? [], next: answer.headers.get('next-cursor') }
      }
      const first = await subjectsOf({})
      expect(first.next).not.toBeNull()
      // An interrupted export continues with the page after the last complete one.
      const second = await subjectsOf({ page_token: first.next ?? '' })
      const found = [...first.found, ...second.found].sort()
      expect(found).toEqual(['Subject: 1', 'Subject: 2', 'Subject: 3'])
      expect(second.next).toBeNull()
    })

    const page = async (query: Query): Promise<{ data: Json[]; next: string | undefined }> => {
      const { body } = expectStatus(await account.get('/messages', query), 200)
      return { data: body.data, next: body.next_cursor ?? undefined }
    }
    const down = (from: number, to: number): string[] =>
      Array.from({ length: from - to + 1 }, (_, index) => String(from - index))

    /** Reads the first page, runs `happens`, and reads all further pages. */
    async function interrupted(query: Query, happens: () => Promise<void>): Promise<string[]> {
      const first = await page(query)
      const seen = subjects(first.data)
      await happens()
      for (let token = first.next; token !== undefined; ) {
        const { data, next } = await page({ ...query, page_token: token })
        seen.push(...subjects(data))
        token = next
      }
      return seen
    }

    test('contain every message once, newest first, and never more than the limit', async () => {
      await fill(11)
      for (const limit of [1, 3, 4, 11, 12]) {
        const pages = await pagesOf(account, '/messages', { limit })
        expect(pages.flatMap(subjects)).toEqual(down(11, 1))
        for (const each of pages) expect(each.length).toBeLessThanOrEqual(limit)
      }
    })

    test('can have different lengths', async () => {
      await fill(9)
      const first = await page({ limit: 4 })
      const second = await page({ limit: 1, page_token: first.next })
      const third = await page({ limit: 200, page_token: second.next })
      expect([first, second, third].map(({ data }) => data.length)).toEqual([4, 1, 4])
      expect([first, second, third].flatMap(({ data }) => subjects(data))).toEqual(down(9, 1))
      expect(third.next).toBeUndefined()
    })

    test('distinguish messages that were received in the same second', async () => {
      for (const [index, folder] of ['inbox', 'archive', 'inbox', 'sent', 'archive', 'inbox', 'sent'].entries()) {
        await account.deliver(
          { subject: `Tie ${index}`, messageId: index % 2 ? null : newMessageId() },
          { folder, date: noon },
        )
      }
      const whole = ids(await messagesOf(account))
      expect(new Set(whole).size).toBe(7)
      for (const limit of [1, 2, 3]) expect(ids((await pagesOf(account, '/messages', { limit })).flat())).toEqual(whole)
    })

    test('contain at most two hundred, and fifty by default', async () => {
      for (let index = 0; index < 210; index++) {
        await account.deliver({ subject: String(index), text: `Number ${index}` }, { date: noon + index })
      }
      expect((await page({ select: 'id' })).data).toHaveLength(50)
      const large = await page({ select: 'id', limit: 1000 })
      expect(large.data).toHaveLength(200)
      expect((await page({ select: 'id', limit: 1000, page_token: large.next })).data).toHaveLength(10)
    })

    test('have no gap and no duplicate while mail arrives', async () => {
      await fill(8)
      const seen = await interrupted({ limit: 3 }, async () => {
        await account.deliver({ subject: 'newer' }, { date: noon + 100 })
        await account.deliver({ subject: 'newer elsewhere' }, { date: noon + 101, folder: 'archive' })
      })
      expect(seen).toEqual(down(8, 1))
      expect(subjects(await messagesOf(account)).slice(0, 2)).toEqual(['newer elsewhere', 'newer'])
    })

    test('have no gap and no duplicate while mail is deleted', async () => {
      const made = await fill(9)
      const seen = await interrupted({ limit: 3 }, async () => {
        for (const name of ['8', '7', '5']) {
          const { messageId, folder } = made.get(name) ?? { messageId: '', folder: '' }
          await account.other.erase(messageId, folder)
        }
      })
      expect(seen).toEqual(['9', '8', '7', '6', '4', '3', '2', '1'])
    })

    test('have no gap and no duplicate while mail is moved', async () => {
      const made = await fill(9)
      const seen = await interrupted({ limit: 3 }, async () => {
        for (const name of ['8', '7', '5', '2']) {
          const { messageId, folder } = made.get(name) ?? { messageId: '', folder: '' }
          await account.other.move(messageId, folder, 'junk')
        }
      })
      expect(seen).toEqual(down(9, 1))
    })

    test('continue after a lost connection', async () => {
      await fill(7)
      expect(await interrupted({ limit: 2 }, () => account.disconnect())).toEqual(down(7, 1))
    })

    test('are complete however often the connection is lost', async () => {
      await fill(6)
      for (let round = 0; round < 10; round++) {
        expect(subjects(await messagesOf(account, { limit: 4 }))).toEqual(down(6, 1))
        await account.disconnect()
      }
    })

    test('continue for a list with filters', async () => {
      await fill(12)
      const folders = await folderIds(account)
      const query = { in: folders.archive, limit: 2 }
      expect((await pagesOf(account, '/messages', query)).flatMap(subjects)).toEqual(['10', '7', '4', '1'])
      const after = { received_after: noon + 2, received_before: noon + 10, unread: true, limit: 3 }
      expect((await pagesOf(account, '/messages', after)).flatMap(subjects)).toEqual(down(9, 3))
      const native = { search_query_native: subject.search.subject('1'), limit: 2 }
      const ones = subject.search.words ? ['1'] : ['12', '11', '10', '1']
      expect((await pagesOf(account, '/messages', native)).flatMap(subjects)).toEqual(ones)
    })

    test('continue for an attachment filter that matches few messages', async () => {
      await fill(10)
      const file = { name: 'a.txt', type: 'text/plain', content: 'a' }
      for (const date of [noon + 2, noon + 30, noon + 60]) {
        await account.deliver({ subject: `File ${date - noon}`, files: [file] }, { date })
      }
      const query = { has_attachment: true, limit: 1 }
      expect((await pagesOf(account, '/messages', query)).flatMap(subjects)).toEqual(['File 60', 'File 30', 'File 2'])
    })

    test('are refused with an invalid token, or one of another list', async () => {
      await fill(3)
      const { next } = await page({ limit: 1 })
      for (const query of [{ page_token: 'nonsense' }, { page_token: next, unread: true }]) {
        expect((await account.get('/messages', query)).status).toBe(400)
      }
    })
  })
}
