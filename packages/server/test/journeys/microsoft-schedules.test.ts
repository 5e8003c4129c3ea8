/** Messages that wait among the drafts of an account at Microsoft until their time. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { expectStatus, type Json } from '../conformance/accounts.ts'
import { type TestClock, testClock } from '../harness.ts'
import { type MicrosoftAccount, type MicrosoftAccounts, openMicrosoftAccounts } from './microsoft-accounts.ts'

const until = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 25_000, interval: 50 })

describe('a message that waits as a draft at Microsoft', () => {
  let accounts: MicrosoftAccounts
  let clock: TestClock
  beforeAll(async () => {
    clock = testClock()
    accounts = await openMicrosoftAccounts({ overrides: { serving: true, clock }, microsoft: { now: clock.now } })
    await accounts.service.listen()
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())

  const schedule = async (account: MicrosoftAccount, to: MicrosoftAccount, rest: object = {}): Promise<Json> => {
    const answer = await account.post('/messages/send', {
      to: [{ email: to.email }],
      subject: 'Later',
      body: '<p>Patience</p>',
      send_at: Math.floor(clock.now() / 1000) + 120,
      use_draft: true,
      ...rest,
    })
    return expectStatus(answer, 202).body.data
  }
  const statusOf = async (account: MicrosoftAccount, { schedule_id: id }: Json): Promise<string> =>
    (await account.get(`/messages/schedules/${id}`)).body.data.status.code
  const drafts = async (account: MicrosoftAccount): Promise<Json[]> =>
    expectStatus(await account.get('/drafts'), 200).body.data

  test('stands there until its time, is sent as it is then, and is gone', async () => {
    const [ada, grace, hidden] = [await accounts.newAccount(), await accounts.newAccount(), await accounts.newAccount()]
    const scheduled = await schedule(ada, grace, { bcc: [{ email: hidden.email }] })
    const [draft] = await drafts(ada)
    expect(draft).toMatchObject({ subject: 'Later', bcc: [{ email: hidden.email }] })
    expectStatus(await ada.put(`/drafts/${draft.id}`, { subject: 'Later, but better' }), 200)
    expect(grace.microsoft.mail.list()).toEqual([])
    clock.advance(121_000)
    await until(() => expect(grace.microsoft.mail.list()).toMatchObject([{ subject: 'Later, but better' }]))
    await until(async () => expect(await statusOf(ada, scheduled)).toBe('success'))
    expect(hidden.microsoft.mail.list()).toHaveLength(1)
    await until(async () => expect(await drafts(ada)).toEqual([]))
    expect(ada.microsoft.mail.list()).toMatchObject([{ folder: 'sentitems', subject: 'Later, but better' }])
  })

  test('is not sent where the draft is gone by then', async () => {
    const [ada, grace] = [await accounts.newAccount(), await accounts.newAccount()]
    const scheduled = await schedule(ada, grace)
    const [draft] = await drafts(ada)
    expectStatus(await ada.delete(`/drafts/${draft.id}`), 200)
    clock.advance(121_000)
    await until(async () => expect(await statusOf(ada, scheduled)).toBe('failed'))
    expect(grace.microsoft.mail.list()).toEqual([])
  })
})
