/** Reads that share a statement on PostgreSQL: no reader gets a result from before its request. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from '@waypost/testing/statement'
import { describe, expect, test } from 'vitest'
import { BatchLoader, batched } from '../../src/engine/batch-loader.ts'
import { type Queries, type Statement, StoreUnavailable } from '../../src/engine/database.ts'

interface Note {
  text: string
}
const point = batched(sql<Note>('notes.point', 'select text from notes where id = $1'))

/** Records the queries, and answers on request. */
function openStore() {
  const requested: { name: string; values: readonly unknown[]; answer: PromiseWithResolvers<unknown> }[] = []
  const ask = ({ name }: Statement<unknown>, values: readonly unknown[] = []): Promise<unknown> => {
    const answer = Promise.withResolvers<unknown>()
    requested.push({ name, values, answer })
    return answer.promise
  }
  const reads = new BatchLoader({ get: ask as Queries['get'], all: ask as Queries['all'] })
  const answer = async (index: number, found: unknown): Promise<void> => {
    requested[index]?.answer.resolve(found)
    await nextTurn()
    await nextTurn()
  }
  return { reads, requested, answer, names: () => requested.map(({ name }) => name) }
}

describe('a read', () => {
  test('that is alone is sent at the end of the turn, with the statement itself', async () => {
    const { reads, answer, requested } = openStore()
    const one = reads.get(point, ['a'])
    await nextTurn()
    expect(requested).toMatchObject([{ name: 'notes.point', values: ['a'] }])
    await answer(0, { text: 'A' })
    expect(await one).toEqual({ text: 'A' })
    expect(Object.isFrozen(await one)).toBe(true)
  })

  test('of the same row in the same turn shares one statement', async () => {
    const { reads, answer, names } = openStore()
    const all = Promise.all([reads.get(point, ['a']), reads.get(point, ['a']), reads.get(point, ['b'])])
    await nextTurn()
    expect(names()).toEqual(['notes.pointBatch'])
    await answer(0, [{ place: 1, text: 'A' }])
    expect((await all).map((row) => row?.text)).toEqual(['A', 'A', undefined])
  })

  test('counts as pending until it has a result, also if it shares a result or a failure', async () => {
    const { reads, answer, requested } = openStore()
    const first = [reads.get(point, ['a']), reads.get(point, ['a'])]
    expect(reads.pending).toBe(2)
    await nextTurn()
    const second = reads.get(point, ['b'])
    await nextTurn()
    expect(reads.pending).toBe(3)
    await answer(0, { text: 'A' })
    expect(reads.pending).toBe(1)
    requested[1]?.answer.reject(new Error('no such table'))
    const ends = await Promise.allSettled([...first, second])
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    await nextTurn()
    expect(reads.pending).toBe(0)
    await expect(reads.get(point, ['\0'])).rejects.toThrow('NUL')
    expect(reads.pending).toBe(0)
  })

  test('after a statement was sent is not answered by it, but by the next one, with all waiting reads', async () => {
    const { reads, answer, names } = openStore()
    const before = reads.get(point, ['a'])
    await nextTurn()
    const second = reads.get(point, ['a'])
    await nextTurn()
    // The maximum number of statements is in progress.
    const late = [reads.get(point, ['a'])]
    await nextTurn()
    late.push(reads.get(point, ['a']))
    await nextTurn()
    expect(names()).toHaveLength(2)
    await answer(0, { text: 'old' })
    expect(await before).toEqual({ text: 'old' })
    expect(names()).toHaveLength(3)
    await answer(1, { text: 'newer' })
    expect(await second).toEqual({ text: 'newer' })
    await answer(2, { text: 'newest' })
    expect(await Promise.all(late)).toEqual([{ text: 'newest' }, { text: 'newest' }])
  })

  test('of several rows with the same lookup uses one statement, and each gets its own', async () => {
    const { reads, answer, requested } = openStore()
    const all = Promise.all(['a', 'b', 'a', 'c'].map((id) => reads.get(point, [id])))
    await nextTurn()
    expect(requested).toMatchObject([{ name: 'notes.pointBatch', values: ['{"a","b","c"}'] }])
    await answer(0, [
      { place: 3, text: 'C' },
      { place: 1, text: 'A' },
    ])
    expect((await all).map((row) => row?.text)).toEqual(['A', undefined, 'A', 'C'])
  })

  test('of more rows than one statement allows waits for the next', async () => {
    const { reads, answer, requested } = openStore()
    const all = Promise.all(Array.from({ length: 70 }, (_, index) => reads.get(point, [`${index}`])))
    await nextTurn()
    await nextTurn()
    expect(requested.map(({ values }) => String(values[0]).split(',').length)).toEqual([64, 6])
    const rows = (first: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({ place: index + 1, text: `${first + index}` }))
    await answer(0, rows(0, 64))
    await answer(1, rows(64, 6))
    expect((await all).map((row) => row?.text)).toEqual(Array.from({ length: 70 }, (_, index) => `${index}`))
  })

  test('of an unreachable store fails with all that shared it, and the next one tries again', async () => {
    const { reads, answer, requested } = openStore()
    const all = Promise.allSettled(['a', 'b'].map((id) => reads.get(point, [id])))
    await nextTurn()
    const lost = new StoreUnavailable('gone', undefined)
    requested[0]?.answer.reject(lost)
    expect((await all).map((end) => end.status === 'rejected' && end.reason)).toEqual([lost, lost])
    const next = reads.get(point, ['a'])
    await nextTurn()
    await answer(1, { text: 'A' })
    expect(await next).toEqual({ text: 'A' })
  })

  test('of a value that the store refuses fails alone', async () => {
    const { reads, answer, requested, names } = openStore()
    const all = Promise.allSettled(['a', 'b', 'c\0'].map((id) => reads.get(point, [id])))
    await nextTurn()
    requested[0]?.answer.reject(new Error('one of them is wrong'))
    await nextTurn()
    expect(names()).toEqual(['notes.pointBatch', 'notes.point', 'notes.point'])
    requested[1]?.answer.reject(new Error('this one'))
    await answer(2, { text: 'B' })
    expect(await all).toMatchObject([
      { reason: { message: 'this one' } },
      { value: { text: 'B' } },
      { reason: { message: expect.stringContaining('NUL') } },
    ])
  })

  test('does not wait forever for statements that hang', async () => {
    const { reads, answer, requested } = openStore()
    for (let turn = 0; turn < 2; turn++) {
      void reads.get(point, ['a'])
      await nextTurn()
    }
    const late = reads.get(point, ['a'])
    while (requested.length < 3) await nextTurn()
    await answer(2, { text: 'A' })
    expect(await late).toEqual({ text: 'A' })
  })
})
