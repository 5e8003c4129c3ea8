/**
 * A list as a live stream: server-sent events over `fetch`, which browsers and Node have. A connection that ends, breaks or
 * stays silent is replaced, from the last event on.
 */
import { readAnswer } from './answer.ts'
import type { Settings } from './options.ts'
import type { RouteFacts } from './route-facts.ts'
import { type CallArguments, openRequest, pause } from './send.ts'
import { eitherSignal } from './signals.ts'
import { WaypostError } from './waypost-error.ts'

/** One item of a live stream. */
export interface LiveItem<Item> {
  data: Item
  /** The position after this item. Store it to resume later: `lastEventId` of `stream`. */
  cursor: string
}

export interface LiveArguments extends CallArguments {
  lastEventId?: string
}

/** The service sends a comment every 15 seconds. */
const silentMs = 45_000
const maxWait = 30_000
const defaultRetryMs = 2_000

/** The position of a stream, which outlives its connections. */
interface Place {
  lastEventId: string | undefined
  retryMs: number
  failures: number
}

/** All items, and new ones as they come, until the caller stops or the service refuses. */
export async function* itemsLive(
  settings: Settings,
  route: RouteFacts,
  { lastEventId, ...args }: LiveArguments,
): AsyncGenerator<LiveItem<unknown>, void> {
  const place: Place = { lastEventId, retryMs: defaultRetryMs, failures: 0 }
  for (;;) {
    args.signal?.throwIfAborted()
    try {
      yield* itemsOfConnection(settings, route, args, place)
    } catch (error) {
      args.signal?.throwIfAborted()
      if (error instanceof WaypostError && !error.temporary) throw error
      const told = error instanceof WaypostError ? error.retryAfter : undefined
      place.failures++
      await pause(waitAfter(place, told), args.signal)
      continue
    }
    await pause(waitAfter(place, undefined), args.signal)
  }
}

/** What the service asked for; after failures in a row longer, and not for all clients at once. */
function waitAfter({ retryMs, failures }: Place, told: number | undefined): number {
  const wait = told === undefined ? retryMs * 2 ** Math.min(failures, 4) : told * 1000
  return Math.min(wait, maxWait) * (0.5 + Math.random() / 2)
}

async function* itemsOfConnection(
  settings: Settings,
  route: RouteFacts,
  args: CallArguments,
  place: Place,
): AsyncGenerator<LiveItem<unknown>, void> {
  const silence = new AbortController()
  const watch = { timer: undefined as ReturnType<typeof setTimeout> | undefined }
  const isAlive = (): void => {
    clearTimeout(watch.timer)
    watch.timer = setTimeout(() => silence.abort(new Error('the stream is silent')), silentMs)
  }
  isAlive()
  try {
    const headers = { ...args.headers, 'last-event-id': place.lastEventId }
    const { url, ...init } = openRequest(settings, route, { ...args, headers })
    init.headers.set('accept', 'text/event-stream')
    const signal = args.signal ? eitherSignal(args.signal, silence.signal) : silence.signal
    const response = await settings.fetch(url, { ...init, redirect: 'manual', signal })
    const isStream = response.ok && response.headers.get('content-type')?.startsWith('text/event-stream')
    // Throws the error in the response. A list is an answer of a node of an older version.
    if (!isStream || !response.body) {
      readAnswer(route, response, await response.text())
      throw new WaypostError('the answer is no stream of events', { type: 'unexpected_answer' })
    }
    for await (const block of blocksOf(response.body, isAlive)) {
      place.failures = 0
      if (block.retry !== undefined) place.retryMs = block.retry
      if (block.id !== undefined) place.lastEventId = block.id
      if (block.data !== undefined) yield { data: JSON.parse(block.data), cursor: place.lastEventId ?? '' }
    }
  } finally {
    clearTimeout(watch.timer)
    silence.abort()
  }
}

interface Block {
  id?: string
  data?: string
  retry?: number
}

/** The blocks of a stream of events (HTML Standard, 9.2). */
async function* blocksOf(body: ReadableStream<Uint8Array>, isAlive: () => void): AsyncGenerator<Block, void> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  let block: Block = {}
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    isAlive()
    const lines = (rest + decoder.decode(piece.value, { stream: true })).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') {
        yield block
        block = {}
      } else take(block, line)
    }
  }
}

function take(block: Block, line: string): void {
  const [name = ''] = line.split(':', 1)
  const value = line.slice(name.length + 1).replace(/^ /, '')
  if (name === 'id') block.id = value
  else if (name === 'data') block.data = block.data === undefined ? value : `${block.data}\n${value}`
  else if (name === 'retry' && /^\d+$/.test(value)) block.retry = Number(value)
}
