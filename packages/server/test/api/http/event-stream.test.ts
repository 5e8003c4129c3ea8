/** Server-sent events: the cost of a client that reads slowly, or not at all. */
import { expect, test, vi } from 'vitest'
import { type EventSink, eventStream } from '../../../src/api/http/event-stream.ts'

const never = new AbortController().signal
const textOf = async (stream: ReadableStream<Uint8Array>): Promise<string> => new Response(stream).text()

test('an event has an id, a type and data; a quiet stream gets comments', async ({ onTestFinished }) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const stream = eventStream(
    async (sink) => {
      sink.sendRetry(2000)
      sink.send({ id: 'c1', event: 'event.created', data: '{}' })
      vi.advanceTimersByTime(60)
      sink.sendPosition('c2')
      sink.send({ data: '1' })
    },
    { gone: never, times: { keepAliveMs: 10 } },
  )
  const text = await textOf(stream)
  expect(text.replaceAll(':\n\n', '')).toBe(
    'retry: 2000\n\nid: c1\nevent: event.created\ndata: {}\n\nid: c2\n\nevent: message\ndata: 1\n\n',
  )
  expect(text).toContain(':\n\n:\n\n')
})

test('a producer waits for a client that reads, and ends if the client does not read', async () => {
  const event = { data: 'x'.repeat(100_000) }
  let sent = 0
  let failed: unknown
  const produce = async (sink: EventSink): Promise<void> => {
    try {
      for (;;) {
        await sink.room()
        sink.send(event)
        sent++
      }
    } catch (error) {
      failed = error
      throw error
    }
  }
  const stream = eventStream(produce, { gone: never, times: { stallMs: 50 } })
  const reader = stream.getReader()
  for (let reads = 0; reads < 5; reads++) expect((await reader.read()).value?.length).toBeGreaterThan(100_000)
  await expect.poll(() => failed).toBeInstanceOf(Error)
  await expect(reader.read()).rejects.toThrow(/has read nothing/)
  // At most one event more than the client read was waiting.
  expect(sent).toBeLessThanOrEqual(7)
})

test('a producer that does not wait is ended before much waits', async () => {
  let sent = 0
  let isOver = false
  const stream = eventStream(
    async (sink) => {
      for (; !sink.signal.aborted && sent < 1000; sent++) sink.send({ data: 'x'.repeat(100_000) })
      isOver = true
    },
    { gone: never },
  )
  await expect.poll(() => isOver).toBe(true)
  expect(sent).toBeLessThan(50)
  await stream.cancel()
})

test('a client that disconnects ends the producer', async () => {
  const gone = new AbortController()
  let isOver = false
  const stream = eventStream(
    async (sink) => {
      await new Promise<void>((resolve) => sink.signal.addEventListener('abort', () => resolve()))
      isOver = true
    },
    { gone: gone.signal },
  )
  gone.abort()
  await expect.poll(() => isOver).toBe(true)
  expect(await textOf(stream)).toBe('')
})
