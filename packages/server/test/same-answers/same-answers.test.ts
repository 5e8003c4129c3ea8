/** One list of requests, sent to every kind of account: the answers are the same, or the difference is documented. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { factsOf, ignoredFields, resourceOf } from './answers.ts'
import { compare, type KindAnswer, type Row } from './compare.ts'
import { type KindName, kindNames } from './difference.ts'
import { differences } from './differences.ts'
import { type KindAccount, type OpenKinds, openKinds } from './kinds.ts'
import { requestLists } from './requests/index.ts'
import { type Asked, prepare, runList } from './run.ts'

let kinds: OpenKinds
let rows: Row[]

beforeAll(async () => {
  kinds = await openKinds()
  rows = await askAll(kinds)
}, 240_000)
afterAll(() => kinds?.[Symbol.asyncDispose]())

async function askAll({ accounts }: OpenKinds): Promise<Row[]> {
  const answers = new Map<string, Map<KindName, KindAnswer>>()
  await Promise.all(
    accounts.map(async (account) => {
      for (const [request, answer] of await askOne(account)) {
        const row = answers.get(request) ?? new Map<KindName, KindAnswer>()
        answers.set(request, row.set(account.name, answer))
      }
    }),
  )
  return [...answers].map(([request, row]) => ({ request, answers: row }))
}

/** All that one kind answered, by request. */
async function askOne(account: KindAccount): Promise<Map<string, KindAnswer>> {
  const now = Math.floor(Date.now() / 1000)
  const names = await prepare(kinds.call, account)
  const requested: Asked[] = (
    await Promise.all(requestLists.map((list) => runList(kinds.call, account, list, names)))
  ).flat()
  const ignored = ignoredFields(requested)
  return new Map(
    requested.flatMap((each) => {
      const facts = factsOf(each, names, now)
      return facts ? [[each.ask.name, { facts, ignored: ignored.get(resourceOf(each.ask)) ?? new Set() }]] : []
    }),
  )
}

test('the list has more than 200 requests with unique names', () => {
  const names = requestLists.flat().map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThan(200)
})

test('the requests are sent to every kind of provider', () => {
  expect(kinds.accounts.map(({ name }) => name).toSorted()).toEqual(kindNames.toSorted())
})

test('every kind answers the same requests equally, except for documented differences', () => {
  const { unexplained } = compare(rows, differences)
  expect(unexplained).toEqual([])
})

test('every documented difference exists', () => {
  const { used } = compare(rows, differences)
  const needless = differences.flatMap(({ kinds: named, requests, fields }, index) =>
    named.filter((kind) => !used.has(`${index} ${kind}`)).map((kind) => `${kind}: ${fields} of ${requests}`),
  )
  expect(needless).toEqual([])
})
