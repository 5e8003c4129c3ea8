/** The number of statements that an idle node sends to its store. */

import type { Database } from '@waypost/store/engine/database'
import { expect } from 'vitest'

const loops = ['delivery_leases.due', 'sends.due', 'outbox.claim', 'watch_shards.tally']
/** As long as the interval of the polls that remain, so that exactly one round of them is counted. */
const seconds = 15

/** `pass` advances time by milliseconds. */
export async function expectFewQueries(
  { figures }: Database,
  pass: (milliseconds: number) => Promise<void>,
): Promise<void> {
  const counts = (): Map<string, number> => new Map([...figures.statements()].map(([name, { count }]) => [name, count]))
  // Writes at the start keep the node polling for a while, less and less often.
  let before = counts()
  for (let rounds = 0; ; rounds++) {
    await pass(2_000)
    const after = counts()
    const polled = loops.filter((name) => after.get(name) !== before.get(name))
    before = after
    if (polled.length === 0) break
    expect(rounds, `still polled: ${polled}`).toBeLessThan(60)
  }
  await pass(seconds * 1_000)
  const more = [...counts()].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
  const sum = more.reduce((all, [, count]) => all + count, 0)
  expect(sum, JSON.stringify(more.filter(([, count]) => count > 0))).toBeLessThan(seconds * 3)
}
