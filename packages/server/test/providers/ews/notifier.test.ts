/** How Exchange reports changes, and what happens if one way does not work. */
import { expect, test } from 'vitest'
import { Notifier } from '../../../../providers/src/ews/watch/notifier.ts'
import { ewsAccount } from '../../../../providers/test/ews/ews-account.ts'
import { type ExchangeOptions, type ExchangeSimulator, startExchange } from '../../../../simulators/src/index.ts'
import { mimeMessage } from '../../conformance/mime-messages.ts'
import { exchangePassword } from '../../peers/exchange.ts'

const never = new AbortController().signal

/** A notifier whose polls find the deliveries since the previous one. */
async function listening(streaming: NonNullable<ExchangeOptions['streaming']>, silenceMs?: number) {
  const resources = new AsyncDisposableStack()
  const simulator: ExchangeSimulator = resources.use(await startExchange({ streaming }))
  const email = 'ada@exchange.example'
  const { mail } = simulator.addAccount({ email, password: exchangePassword })
  const account = resources.use(ewsAccount({ url: simulator.url, password: exchangePassword }))
  Object.assign(account.io, { pollSeconds: 0.2 })
  const notifier = resources.use(new Notifier(account.open(), { silenceMs }))
  let delivered = 0
  return {
    simulator,
    notifier,
    /** Waits, and polls. */
    async turn(ms: number): Promise<string> {
      const woken = await notifier.wait(ms, never)
      notifier.beginPoll()
      notifier.endPoll(delivered > 0)
      delivered = 0
      return woken ?? 'told'
    },
    deliver(): void {
      delivered += 1
      mail.deliver(mimeMessage({ subject: 'one' }))
    },
    operations: () => simulator.calls.map(({ operation }) => operation),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

test('a stream reports; regular polls are rare once it has, but not after it missed a change', async () => {
  await using one = await listening({})
  expect(await one.turn(60_000)).toBe('time')
  expect(one.notifier.isTrusted).toBe(false)
  one.deliver()
  expect(await one.turn(60_000)).toBe('told')
  expect(one.notifier.isTrusted).toBe(true)
  one.simulator.muteNotifications(true)
  one.deliver()
  expect(await one.turn(100)).toBe('time')
  expect(one.notifier.isTrusted).toBe(false)
  one.simulator.muteNotifications(false)
  one.deliver()
  expect(await one.turn(60_000)).toBe('told')
  expect(one.notifier.isTrusted).toBe(true)
})

test('a proxy that holds back the stream is detected, and Exchange is queried instead', async () => {
  await using one = await listening({ holds: true }, 400)
  expect(await one.turn(60_000)).toBe('time')
  expect(one.operations()).toEqual(expect.arrayContaining(['Subscribe']))
  expect(await one.turn(60_000)).toBe('time')
  one.deliver()
  expect(await one.turn(60_000)).toBe('told')
  expect(one.notifier.isTrusted).toBe(true)
  expect(one.operations()).toContain('GetEvents')
})

test('a subscription that is lost during a query is created again, and the mailbox is polled', async () => {
  await using one = await listening({ maxStreams: 0 })
  expect(await one.turn(60_000)).toBe('time')
  expect(await one.turn(60_000)).toBe('time')
  for (const code of ['ErrorSubscriptionNotFound', 'ErrorInvalidWatermark', 'ErrorMissedNotificationEvents']) {
    one.simulator.fail({ operation: 'GetEvents' }, { status: 200, code })
    expect(await one.turn(60_000)).toBe('time')
    expect(await one.turn(60_000)).toBe('time')
    one.deliver()
    expect(await one.turn(60_000)).toBe('told')
  }
})

test('if neither works, polls are regular', async () => {
  await using one = await listening({ maxStreams: 0 })
  const refused = { status: 200, code: 'ErrorExceededSubscriptionCount' } as const
  one.simulator.fail({ operation: 'Subscribe', times: 100 }, refused)
  for (let count = 0; count < 4; count += 1) expect(await one.turn(50)).toBe('time')
  one.simulator.clearCalls()
  expect(await one.turn(50)).toBe('time')
  expect(one.operations()).toEqual([])
})

test('a refused password is thrown', async () => {
  await using one = await listening({})
  await one.turn(60_000)
  one.simulator.account('ada@exchange.example').changePassword('another')
  one.simulator.dropStreams()
  await one.turn(60_000)
  await expect(one.turn(60_000)).rejects.toMatchObject({ code: 'grant_invalid' })
})
