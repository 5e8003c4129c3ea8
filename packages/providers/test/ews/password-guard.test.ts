/** A password that an Exchange server refuses is sent as rarely as possible. */
import { expect, test } from 'vitest'
import { type Attempt, PasswordGuard } from '../../src/ews/soap/password-guard.ts'

/** A server that answers with a status, and records the number of attempts, in total and concurrently. */
function serverSaying(status: () => number) {
  const seen = { attempts: 0, atOnce: 0, max: 0 }
  const attempt = async (): Promise<Attempt> => {
    seen.attempts += 1
    seen.max = Math.max(seen.max, ++seen.atOnce)
    await new Promise((resolve) => setImmediate(resolve))
    seen.atOnce -= 1
    const answer = { status: status(), header: () => undefined, headerList: () => [], body: Buffer.from('') }
    return { answer, again: answer.status === 401 }
  }
  return { seen, attempt }
}

const many = (guard: PasswordGuard, attempt: () => Promise<Attempt>) =>
  Promise.all(Array.from({ length: 8 }, async () => (await guard.run(attempt)).status))

test('a wrong password is sent twice, and then no more', async () => {
  const guard = new PasswordGuard()
  const { seen, attempt } = serverSaying(() => 401)
  expect((await guard.run(attempt)).status).toBe(401)
  expect(seen.attempts).toBe(2)
  expect(await many(guard, attempt)).toEqual(Array(8).fill(401))
  expect(seen.attempts).toBe(2)
})

test('a wrong password that many requests sent concurrently is retried by one of them', async () => {
  const guard = new PasswordGuard()
  const { seen, attempt } = serverSaying(() => 401)
  expect(await many(guard, attempt)).toEqual(Array(8).fill(401))
  expect(seen).toMatchObject({ attempts: 9, max: 8 })
})

test('a good password is sent by all requests concurrently', async () => {
  const { seen, attempt } = serverSaying(() => 200)
  expect(await many(new PasswordGuard(), attempt)).toEqual(Array(8).fill(200))
  expect(seen).toMatchObject({ attempts: 8, max: 8 })
})

test('one refusal is retried, and a failed connection is not a refusal', async () => {
  const guard = new PasswordGuard()
  let refusals = 1
  const { attempt } = serverSaying(() => (refusals-- > 0 ? 401 : 200))
  const broken = async (): Promise<Attempt> => {
    throw new Error('broke off')
  }
  await expect(guard.run(broken)).rejects.toThrow('broke off')
  expect((await guard.run(attempt)).status).toBe(200)
})

test('all requests recover from temporary refusals', async () => {
  const guard = new PasswordGuard()
  let refusals = 8
  const { seen, attempt } = serverSaying(() => (refusals-- > 0 ? 401 : 200))
  expect(await many(guard, attempt)).toEqual(Array(8).fill(200))
  expect(seen.attempts).toBe(16)
})
