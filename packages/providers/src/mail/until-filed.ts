/** Waits until a provider has filed a sent message; some do so a moment later. */
import { sleep } from '@waypost/platform/clock'
import { SendFailed } from '../provider.ts'

/** Delays between searches: short ones first. */
const filingMs = 10_000
const firstPollMs = 100

/** The id of a message once it is filed. `find` is told whether an earlier search failed. */
export async function untilFiled(
  provider: string,
  signal: AbortSignal,
  find: (again: boolean) => Promise<string | undefined>,
): Promise<string> {
  const until = performance.now() + filingMs
  for (let pauseMs = firstPollMs; ; pauseMs *= 2) {
    const isLast = performance.now() + pauseMs > until
    const id = await find(pauseMs > firstPollMs)
    if (id !== undefined) return id
    if (isLast) throw new SendFailed(`${provider} has not filed the message yet`)
    await sleep(pauseMs, signal)
    signal.throwIfAborted()
  }
}
