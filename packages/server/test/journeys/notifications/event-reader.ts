/** Reads server-sent events from a response, as a client does. */
import { expect } from 'vitest'
import type { Json } from '../../conformance/accounts.ts'

export interface ReadEvent {
  id: string
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read notifications of every trigger
  data: any
}

export interface EventReader extends AsyncDisposable {
  readonly response: Response
  readonly events: ReadEvent[]
  /** The text received so far. */
  text(): string
  /** The last id, also of blocks without an event. */
  lastId(): string | undefined
  /** Whether the server ended the stream; `broken` if the connection broke. */
  readonly over: Promise<'ended' | 'broken'>
  /** Waits for this many events. */
  has(count: number): Promise<ReadEvent[]>
  close(): void
}

type Fetch = (input: string, init?: RequestInit) => Promise<Response>

export async function openEvents(
  url: string,
  { key, lastEventId, fetch: call = fetch }: { key: string; lastEventId?: string | undefined; fetch?: Fetch },
): Promise<EventReader> {
  const abort = new AbortController()
  const headers = {
    authorization: `Bearer ${key}`,
    accept: 'text/event-stream',
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  }
  const response = await call(url, { headers, signal: abort.signal })
  const events: ReadEvent[] = []
  let text = ''
  let lastId: string | undefined
  const take = (block: string): void => {
    const fields = new Map(
      block.split('\n').map((line) => [line.split(':', 1)[0] ?? '', line.replace(/^[^:]*: ?/, '')]),
    )
    lastId = fields.get('id') ?? lastId
    const data = fields.get('data')
    if (data === undefined) return
    events.push({ id: lastId ?? '', event: fields.get('event') ?? 'message', data: JSON.parse(data) as Json })
  }
  const read = async (): Promise<'ended' | 'broken'> => {
    const decoder = new TextDecoder()
    let rest = ''
    try {
      for await (const chunk of response.body ?? []) {
        const piece = decoder.decode(chunk as Uint8Array, { stream: true })
        text += piece
        const blocks = (rest + piece).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) take(block)
      }
      return 'ended'
    } catch {
      return 'broken'
    }
  }
  const over = read()
  return {
    response,
    events,
    text: () => text,
    lastId: () => lastId,
    over,
    async has(count) {
      await expect.poll(() => events.length, { interval: 20 }).toBeGreaterThanOrEqual(count)
      return events
    },
    close: () => abort.abort(),
    async [Symbol.asyncDispose]() {
      abort.abort()
      await over
    },
  }
}
