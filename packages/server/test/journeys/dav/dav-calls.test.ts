/** Headers about provider calls for a mailbox on IMAP with calendars on a CalDAV server. */

import { sharedRadicale } from '@waypost/testing/peers/radicale'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountOf, expectStatus } from '../../conformance/accounts.ts'
import { type OpenDav, openImapAndDav } from '../../conformance/dav-subject.ts'

let opened: OpenDav
beforeAll(async () => {
  opened = await openImapAndDav(sharedRadicale)
})
afterAll(() => opened[Symbol.asyncDispose]())

/** The HTTP requests to the server, as the metrics count them. */
async function requests(): Promise<number> {
  const text = String((await opened.service.call('GET', '/metrics', { admin: true })).body)
  const counts = text.matchAll(/^waypost_provider_requests_total\{[^}]*provider="imap"[^}]*\} (\d+)$/gm)
  return Array.from(counts, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0)
}

test('an answer about calendars tells the requests to the server, and one about mail over IMAP tells nothing', async () => {
  const account = accountOf(opened.call, await opened.newAccount())
  const [calendar] = expectStatus(await account.get('/calendars'), 200).body.data
  const made = await account.create(calendar.id, {
    title: 'Plan',
    when: { start_time: 1_790_000_000, end_time: 1_790_003_600 },
  })
  for (const path of ['/calendars', `/events/${made.id}?calendar_id=${encodeURIComponent(calendar.id)}`]) {
    const before = await requests()
    const { headers } = await account.get(path)
    expect(Number(headers.get('x-provider-request-count'))).toBeGreaterThan(0)
    expect(headers.get('x-provider-request-count')).toBe(`${(await requests()) - before}`)
  }
  const mail = await account.get('/folders')
  expectStatus(mail, 200)
  expect(mail.headers.get('x-provider-request-count')).toBeNull()
})
