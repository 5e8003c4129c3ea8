import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Batches, batchesOf } from '../../../src/webhooks/transports/batches.ts'

const limits = { messages: 10, bytes: 1_000 }

test('batches contain every message once, in order, within the limits', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1_200 }), { maxLength: 60 }), (sizes) => {
      const messages = sizes.map((bytes, at) => ({ bytes, at }))
      const batches = batchesOf(messages, limits)
      expect(batches.flat()).toEqual(messages)
      for (const batch of batches) {
        expect(batch.length).toBeLessThanOrEqual(limits.messages)
        const bytes = batch.reduce((sum, message) => sum + message.bytes, 0)
        if (batch.length > 1) expect(bytes).toBeLessThanOrEqual(limits.bytes)
      }
    }),
  )
})

test('messages that are sent at the same time share requests, and each gets its own answer', async () => {
  const requests: number[] = []
  const batches = new Batches<{ bytes: number; name: string }, string>(limits, async (messages) => {
    requests.push(messages.length)
    return messages.map(({ name }) => `answer to ${name}`)
  })
  const names = Array.from({ length: 23 }, (_, at) => `m${at}`)
  const answers = await Promise.all(names.map((name) => batches.send({ bytes: 1, name })))
  expect(answers).toEqual(names.map((name) => `answer to ${name}`))
  expect(requests).toEqual([10, 10, 3])
})

test('a failed request fails its own messages only', async () => {
  const batches = new Batches<{ bytes: number; bad: boolean }, string>(
    { messages: 1, bytes: 10 },
    async ([message]) => {
      if (message?.bad) throw new Error('refused')
      return ['ok']
    },
  )
  const outcomes = await Promise.allSettled([true, false].map((bad) => batches.send({ bytes: 1, bad })))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})
