/** How Exchange reports changes, and what happens if a stream does not work. */
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
  let passedMs = 0
  const now = (): number => Date.now() + passedMs
  const account = resources.use(ewsAccount({ url: simulator.url, password: exchangePassword, now }))
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
      return woken ?? 'reported'
    },
    deliver(): void {
      delivered += 1
      mail.deliver(mimeMessage({ subject: 'one' }))
    },
    /** The clock of the account goes forward. */
    pass(ms: number): void {
      passedMs += ms
    },
    operations: () => simulator.calls.flatMap(({ operation }) => operation ?? []),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

test('a stream reports; regular polls are rare once it has, but not after it missed a change', async () => {
  await using one = await listening({})
  expect(await one.turn(60_000)).toBe('time')
  expect(one.notifier.isTrusted).toBe(false)
  one.deliver()
  expect(await one.turn(60_000)).toBe('reported')
  expect(one.notifier.isTrusted).toBe(true)
  one.simulator.muteNotifications(true)
  one.deliver()
  expect(await one.turn(100)).toBe('time')
  expect(one.notifier.isTrusted).toBe(false)
  one.simulator.muteNotifications(false)
  one.deliver()
  expect(await one.turn(60_000)).toBe('reported')
  expect(one.notifier.isTrusted).toBe(true)
})

test('a proxy that holds back the stream is detected, and polls are regular', async () => {
  await using one = await listening({ holds: true }, 400)
  expect(await one.turn(60_000)).toBe('time')
  expect(one.operations()).toEqual(['Subscribe', 'GetStreamingEvents'])
  one.simulator.clearCalls()
  one.deliver()
  for (let count = 0; count < 3; count += 1) expect(await one.turn(50)).toBe('time')
  expect(one.notifier.isTrusted).toBe(false)
  expect(one.operations()).toEqual([])
})

test('a server that allows no further connection is polled regularly, and asked for a stream again after an hour', async () => {
  await using one = await listening({})
  one.simulator.fail({ operation: 'GetStreamingEvents' }, { status: 200, code: 'ErrorExceededConnectionCount' })
  expect(await one.turn(60_000)).toBe('time')
  one.simulator.clearCalls()
  for (let count = 0; count < 3; count += 1) expect(await one.turn(50)).toBe('time')
  expect(one.operations()).toEqual([])
  one.pass(3_600_000)
  expect(await one.turn(60_000)).toBe('time')
  one.deliver()
  expect(await one.turn(60_000)).toBe('reported')
})

test('a server that allows no further subscription is polled regularly', async () => {
  await using one = await listening({})
  const refused = { status: 200, code: 'ErrorExceededSubscriptionCount' } as const
  one.simulator.fail({ operation: 'Subscribe', times: 100 }, refused)
  expect(await one.turn(60_000)).toBe('time')
  one.simulator.clearCalls()
  for (let count = 0; count < 3; count += 1) expect(await one.turn(50)).toBe('time')
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
