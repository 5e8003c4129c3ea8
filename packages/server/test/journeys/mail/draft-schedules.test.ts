/** Scheduled messages that wait as drafts in a Google or Microsoft account. */

import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Account, expectRefusal, expectStatus, type Json } from '../../conformance/accounts.ts'
import type { TestService } from '../../harness.ts'
import { openGoogleAccounts } from '../google/google-accounts.ts'
import { openMicrosoftAccounts } from '../microsoft/microsoft-accounts.ts'

const until = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { interval: 50 })

interface Mailed extends Account {
  /** The mailbox as its user sees it. */
  mail(): readonly unknown[]
}

interface Accounts extends AsyncDisposable {
  service: TestService
  newAccount(): Promise<Mailed>
}

const providers: Record<string, (clock: TestClock) => Promise<Accounts>> = {
  async Google(clock) {
    const accounts = await openGoogleAccounts({ overrides: { serving: true, clock }, google: { now: clock.now } })
    const newAccount = async (): Promise<Mailed> => {
      const account = await accounts.newAccount()
      return { ...account, mail: () => account.google.mail.list() }
    }
    return { ...accounts, newAccount }
  },
  async Microsoft(clock) {
    const accounts = await openMicrosoftAccounts({ overrides: { serving: true, clock }, microsoft: { now: clock.now } })
    const newAccount = async (): Promise<Mailed> => {
      const account = await accounts.newAccount()
      return { ...account, mail: () => account.microsoft.mail.list() }
    }
    return { ...accounts, newAccount }
  },
}

describe.for(Object.entries(providers))('a scheduled message that waits as a draft at %s', ([, open]) => {
  let accounts: Accounts
  let clock: TestClock
  beforeAll(async () => {
    clock = testClock()
    accounts = await open(clock)
    await accounts.service.listen()
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())

  const schedule = async (account: Account, to: Account, rest: object = {}): Promise<Json> => {
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
  const statusOf = async (account: Account, { schedule_id: id }: Json): Promise<string> =>
    (await account.get(`/messages/schedules/${id}`)).body.data.status.code
  const drafts = async (account: Account): Promise<Json[]> => expectStatus(await account.get('/drafts'), 200).body.data

  test("stays a draft until its time, is sent with the draft's latest content, and is no longer a draft", async () => {
    const [ada, grace, hidden] = [await accounts.newAccount(), await accounts.newAccount(), await accounts.newAccount()]
    const scheduled = await schedule(ada, grace, { bcc: [{ email: hidden.email }] })
    expect(scheduled).toMatchObject({ use_draft: true, schedule_id: expect.stringMatching(/./) })
    expect(scheduled).not.toHaveProperty('draft_id')
    const [draft] = await drafts(ada)
    expect(draft).toMatchObject({ subject: 'Later', bcc: [{ email: hidden.email }] })
    expectStatus(await ada.put(`/drafts/${draft.id}`, { subject: 'Later, but better' }), 200)
    expect(grace.mail()).toEqual([])
    clock.advance(121_000)
    await until(() => expect(grace.mail()).toHaveLength(1))
    await until(async () => expect(await statusOf(ada, scheduled)).toBe('success'))
    expect(hidden.mail()).toHaveLength(1)
    expect(expectStatus(await grace.get('/messages'), 200).body.data).toMatchObject([
      { subject: 'Later, but better', bcc: [] },
    ])
    await until(async () => expect(await drafts(ada)).toEqual([]))
    expect(ada.mail()).toHaveLength(1)
  })

  test('is not sent if the draft was deleted before', async () => {
    const [ada, grace] = [await accounts.newAccount(), await accounts.newAccount()]
    const scheduled = await schedule(ada, grace)
    const [draft] = await drafts(ada)
    expectStatus(await ada.delete(`/drafts/${draft.id}`), 200)
    clock.advance(121_000)
    await until(async () => expect(await statusOf(ada, scheduled)).toBe('failed'))
    expect(grace.mail()).toEqual([])
  })

  test('stays a draft if the schedule is stopped', async () => {
    const [ada, grace] = [await accounts.newAccount(), await accounts.newAccount()]
    const scheduled = await schedule(ada, grace)
    expectStatus(await ada.delete(`/messages/schedules/${scheduled.schedule_id}`), 202)
    clock.advance(121_000)
    expect(await statusOf(ada, scheduled)).toBe('cancelled')
    expect(await drafts(ada)).toHaveLength(1)
    expect(grace.mail()).toEqual([])
  })

  test('requires a send time and an account with drafts', async () => {
    const ada = await accounts.newAccount()
    expectRefusal(await ada.post('/messages/send', { to: [{ email: 'a@example.com' }], use_draft: true }), /use_draft/)
    expect(await drafts(ada)).toEqual([])
  })
})
