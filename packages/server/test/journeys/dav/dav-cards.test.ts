/**
 * Difficult vCards on real servers: stored by another program, read and changed through the API, and read from the
 * server again. Properties without an API field are preserved.
 */

import { unfold } from '@waypost/formats/icalendar/content-lines'
import { sharedCyrus } from '@waypost/testing/peers/cyrus'
import type { DavServer } from '@waypost/testing/peers/dav-server'
import type { Mailbox } from '@waypost/testing/peers/mail-server'
import { radicaleBook, sharedRadicale } from '@waypost/testing/peers/radicale'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { difficultCards } from '../../../../formats/test/vcard/difficult-cards.ts'
import type { Json } from '../../conformance/accounts.ts'
import { accountOf, expectStatus, pagesOf } from '../../conformance/accounts.ts'
import { type OpenDav, openImapAndDav } from '../../conformance/dav-subject.ts'

/** Servers store cards by their UIDs, and accept none without. */
const withUid = (text: string, uid: string): string =>
  /^UID:/im.test(text) ? text : text.replace(/(VERSION:[^\r\n]*\r?\n|BEGIN:VCARD\r?\n)/i, `$1UID:${uid}\r\n`)

const linesOf = (text: string): string[] => text.split(/\r?\n(?![ \t])/).map(unfold)
const names = 'TITLE|NOTE|EMAIL|FN|REV|X-ABLabel'
const isOurs = (line: string): boolean => new RegExp(`^(?:[\\w-]+\\.)?(?:${names})[;:]`, 'i').test(line)

/** The lines of a text that another lacks. */
function lostLines(before: string, after: string): string[] {
  const left = linesOf(after)
  return linesOf(before).filter((line) => {
    const at = left.indexOf(line)
    if (at !== -1) left.splice(at, 1)
    return at === -1 && !isOurs(line)
  })
}

describe.each([
  ['Cyrus', sharedCyrus, 'Default', 85],
  ['Radicale', sharedRadicale, radicaleBook, 85],
])('%s', (_, start: () => Promise<DavServer>, bookName, atLeast) => {
  let opened: OpenDav
  beforeAll(async () => {
    opened = await openImapAndDav(start)
  })
  afterAll(() => opened[Symbol.asyncDispose]())

  /** Stores all cards that the server accepts, and returns those by id, as it stored them. */
  async function putAll(mailbox: Mailbox): Promise<Map<string, { what: string; text: string }>> {
    const { dav } = opened
    const book = `${dav.addressbookHome(mailbox.user)}${bookName}/`
    const retained = new Map<string, { what: string; text: string }>()
    const work = difficultCards.entries()
    const next = async (): Promise<void> => {
      for (const [index, { what, text, facts }] of work) {
        if (facts.isGroup) continue
        const url = `${book}card-${index}.vcf`
        const put = (body: string) =>
          dav.request(mailbox, 'PUT', url, { headers: { 'content-type': 'text/vcard; charset=utf-8' }, body })
        const { status } = await put(withUid(text, `uid-${index}`))
        if (status >= 300) continue
        // Radicale writes cards in its own form, and some in a different one each time.
        await put((await dav.request(mailbox, 'GET', url)).text)
        retained.set(`card-${index}`, { what, text: (await dav.request(mailbox, 'GET', url)).text })
      }
    }
    await Promise.all([next(), next(), next(), next()])
    return retained
  }

  test('preserves unsupported properties of difficult cards that are changed through the API', async () => {
    const { call, dav } = opened
    const { grantId, email, mailbox } = await opened.newAccount({ caldav_url: 'none' })
    const account = accountOf(call, { grantId, email })
    const retained = await putAll(mailbox)
    expect(retained.size).toBeGreaterThanOrEqual(atLeast)
    const shown: Json[] = (await pagesOf(account, '/contacts', { limit: 200 })).flat()
    expect(shown.map(({ id }) => id).toSorted()).toEqual([...retained.keys()].toSorted())
    for (const { id, emails } of shown) {
      const { what, text } = retained.get(id) ?? { what: '', text: '' }
      const fields = {
        job_title: 'Tester',
        notes: 'Seen\nby us',
        emails: [...emails, { email: 'new@mail.test', type: 'work' }],
      }
      const changed = expectStatus(await account.put(`/contacts/${id}`, fields), 200).body.data
      expect(changed, what).toMatchObject(fields)
      const after = (await dav.request(mailbox, 'GET', `${dav.addressbookHome(mailbox.user)}${bookName}/${id}.vcf`))
        .text
      expect(lostLines(text, after), what).toEqual([])
    }
    // Read again, they equal the response.
    const again: Json[] = (await pagesOf(account, '/contacts', { limit: 200 })).flat()
    for (const { job_title, notes } of again) expect([job_title, notes]).toEqual(['Tester', 'Seen\nby us'])
  })
})
