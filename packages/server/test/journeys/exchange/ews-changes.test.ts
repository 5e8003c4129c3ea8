/** Changes in an Exchange account are notified by a stream or by regular polls, also after losses. */
import { describe, expect, test } from 'vitest'
import type { ExchangeOptions } from '../../../../simulators/src/index.ts'
import type { Json } from '../../conformance/accounts.ts'
import { openExchangeMail } from '../../conformance/ews-subject.ts'
import { until, type WatchedAccount, watchedMail } from '../../conformance/watched-mail.ts'

const watching = (pollSeconds: number, provider: ExchangeOptions = {}) =>
  watchedMail({
    open: () =>
      openExchangeMail({ env: { WAYPOST_POLL_SECONDS: `${pollSeconds}` }, overrides: { serving: true }, provider }),
  })
const arriveAll = async (account: WatchedAccount, ...names: string[]): Promise<void> => {
  for (const subject of names) {
    await account.arrive({ subject })
    await account.createdAs(subject)
  }
}

const tomorrow = (hour: string): string =>
  `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T${hour}:00:00Z`
const meeting = (subject: string) => ({ Subject: subject, Start: tomorrow('09'), End: tomorrow('10') })
const titles = (events: readonly Json[]): string[] => events.map(({ title }) => title)

// Regular polls run every ten minutes here: an earlier notification comes from Exchange's stream.
describe.concurrent('streamed changes at Exchange', () => {
  const { open, watched } = watching(600, { streaming: { minuteMs: 100 } })

  test('are notified within seconds', async () => {
    await using account = await watched()
    const { calendar, contacts } = open().simulator.account(account.email)
    calendar.addEvent(meeting('lunch'))
    contacts.addContact({ GivenName: 'Ann' })
    await until(async () => {
      expect(titles(await account.objects('event.created'))).toEqual(['lunch'])
      expect(await account.objects('contact.updated')).toMatchObject([{ given_name: 'Ann' }])
    })
    // The first changes may be found by the poll that begins a stream.
    let count = 0
    await until(async () => {
      calendar.addEvent(meeting(`dinner ${++count}`))
      await until(async () => expect(titles(await account.objects('event.created'))).toContain(`dinner ${count}`))
      expect((await account.reported()).map(({ source }) => source)).toContain('/ews/events/realtime')
    })
  })

  test('are notified across successive connections and between them', async () => {
    await using account = await watched()
    const { simulator } = open()
    const streams = (): number =>
      simulator.calls.filter((call) => call.operation === 'GetStreamingEvents' && call.account === account.email).length
    const before = streams()
    await until(() => expect(streams()).toBeGreaterThan(before))
    await arriveAll(account, 'after the first connection')
    expect(await account.created()).toHaveLength(2)
  })

  test('are notified if they happen while connections and subscriptions are lost', { concurrent: false }, async () => {
    await using account = await watched()
    const { simulator } = open()
    const losses = {
      connection: [simulator.dropStreams],
      subscription: [simulator.endSubscriptions],
      both: [simulator.endSubscriptions, simulator.dropStreams],
    }
    for (const [subject, lose] of Object.entries(losses)) {
      for (const one of lose) one()
      await arriveAll(account, subject, `${subject} after`)
    }
    const all = await account.created()
    expect(new Set(all).size).toBe(all.length)
  })

  test('stop immediately when a password no longer works', { concurrent: false }, async () => {
    await using account = await watched()
    const { simulator, service } = open()
    simulator.account(account.email).changePassword('another')
    let refused = 0
    const stop = simulator.observe(({ status }) => {
      if (status === 401) refused += 1
    })
    simulator.dropStreams()
    await until(async () => expect(await account.reported('grant.expired')).toHaveLength(1))
    const { body } = await service.call('GET', '/v3/grants', { key: account.key })
    expect(body.data).toMatchObject([{ grant_status: 'invalid' }])
    const tries = refused
    await account.arrive({ subject: 'untold' })
    await using _other = await watched()
    stop()
    expect(refused).toBe(tries)
    expect(tries).toBeLessThanOrEqual(6)
  })
})

describe('a server that never reports an event', () => {
  const { open, newAccount } = watching(1)

  test('is polled regularly', async () => {
    const { simulator } = open()
    simulator.muteNotifications(true)
    await using account = await newAccount()
    await arriveAll(account, 'first', 'second', 'third')
    // The adapter waits for a busy server.
    const busy = { status: 500, code: 'ErrorServerBusy', backOffMilliseconds: 200 }
    simulator.fail({ operation: 'FindFolder', times: 2 }, busy)
    simulator.account(account.email).calendar.addEvent(meeting('patient'))
    await until(async () => expect(titles(await account.objects('event.created'))).toEqual(['patient']))
    expect(await account.created()).toHaveLength(3)
  })
})
