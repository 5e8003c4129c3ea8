/**
 * Server-sent events: answers that stay open. A comment keeps proxies and clients from closing a quiet one.
 *
 * What waits for a client that does not read is bounded. A producer of few and short events just sends them; the stream
 * ends if too much waits. A producer of many waits for room, and the stream breaks if there is none for a while.
 */

import type { JsonValue } from '@waypost/platform/json/guard'

/** Clients and proxies often close connections that are quiet for 30 or 60 seconds. */
const keepAliveMs = 15_000
/** Bytes that wait for a client before there is no more room. */
const roomBytes = 65_536
/** Bytes that may wait beyond that. */
const maxWaitingBytes = 4_194_304
/** How long a client may not read. */
const stallMs = 30_000

export interface ServerEvent {
  /** Where a client continues after it. */
  id?: string
  event?: string
  /** One line, such as JSON. */
  data: string
}

export interface EventSink {
  /** Sends an event. */
  send(event: ServerEvent): void
  /** Tells a client where it has arrived, without an event. */
  sendPosition(id: string): void
  /** How long a client should wait before it connects again, in milliseconds. */
  sendRetry(milliseconds: number): void
  /** Resolves when the client has read enough, or the stream is over. Breaks the stream if the client does not read. */
  room(): Promise<void>
  /** Aborts when the client is gone, the stream is full or it was ended. */
  readonly signal: AbortSignal
}

export interface EventStreamOptions {
  /** Aborts when the client disconnects. */
  gone: AbortSignal
  /** Shorter in tests. */
  times?: { stallMs?: number; keepAliveMs?: number }
}

export const eventStreamHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // nginx would hold events back otherwise.
  'x-accel-buffering': 'no',
}

const encoder = new TextEncoder()

const textOf = ({ id, event = 'message', data }: ServerEvent): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`

/**
 * A stream that ends when `produce` ends. If `produce` fails, the connection breaks, so that a client does not take it for
 * the end.
 */
export function eventStream(
  produce: (sink: EventSink) => Promise<void>,
  { gone, times }: EventStreamOptions,
): ReadableStream<Uint8Array> {
  const pipe = new EventPipe(times?.stallMs ?? stallMs)
  const leave = (): void => pipe.end()
  let timer: NodeJS.Timeout | undefined
  const end = (): void => {
    clearInterval(timer)
    gone.removeEventListener('abort', leave)
    pipe.end()
  }
  const start = (controller: Controller): void => {
    pipe.controller = controller
    if (gone.aborted) leave()
    else gone.addEventListener('abort', leave, { once: true })
    timer = setInterval(() => pipe.keepAlive(), times?.keepAliveMs ?? keepAliveMs)
    timer.unref()
    produce(pipe).then(
      () => {
        end()
        closeQuietly(controller)
      },
      (error) => {
        end()
        controller.error(error)
      },
    )
  }
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: roomBytes })
  return new ReadableStream<Uint8Array>({ start, pull: () => pipe.hasRoom(), cancel: end }, strategy)
}

type Controller = ReadableStreamDefaultController<Uint8Array>

class EventPipe implements EventSink {
  controller: Controller | undefined
  readonly #stallMs: number
  readonly #over = new AbortController()
  #goOn: (() => void) | undefined

  constructor(stallMs: number) {
    this.#stallMs = stallMs
  }

  get signal(): AbortSignal {
    return this.#over.signal
  }

  get #room(): number {
    return this.controller?.desiredSize ?? 0
  }

  send(event: ServerEvent): void {
    this.#write(textOf(event))
  }

  sendPosition(id: string): void {
    this.#write(`id: ${id}\n\n`)
  }

  sendRetry(milliseconds: number): void {
    this.#write(`retry: ${milliseconds}\n\n`)
  }

  keepAlive(): void {
    if (this.#room > 0) this.#write(':\n\n')
  }

  /** Is called when the client has read. */
  hasRoom(): void {
    this.#goOn?.()
  }

  async room(): Promise<void> {
    if (this.#room > 0 || this.signal.aborted) return
    await new Promise<void>((resolve, reject) => {
      const settle = (go: () => void): void => {
        clearTimeout(timer)
        this.signal.removeEventListener('abort', leave)
        this.#goOn = undefined
        go()
      }
      const leave = (): void => settle(resolve)
      const timer = setTimeout(
        () => settle(() => reject(new Error(`the client has read nothing for ${this.#stallMs} ms`))),
        this.#stallMs,
      )
      this.#goOn = leave
      this.signal.addEventListener('abort', leave, { once: true })
    })
  }

  end(): void {
    this.#over.abort()
  }

  #write(text: string): void {
    if (this.signal.aborted) return
    this.controller?.enqueue(encoder.encode(text))
    if (this.#room < -maxWaitingBytes) this.end()
  }
}

/** A stream that its reader has canceled cannot be closed again. */
function closeQuietly(controller: Controller): void {
  try {
    controller.close()
  } catch {
    // The client has left.
  }
}

/** The result of a handler whose list is sent as events. */
export class LiveList {
  /** Sends events until the stream is over. */
  readonly produce: (sink: EventSink, items: LiveItems) => Promise<void>
  /** Is called in place of `produce` if the stream is not sent. */
  readonly drop: () => void

  constructor(live: Pick<LiveList, 'produce' | 'drop'>) {
    this.produce = live.produce
    this.drop = live.drop
  }
}

/** How the items of a live list are sent. */
export interface LiveItems {
  /** The cursor of a position. */
  seal(position: JsonValue): string
  /** The JSON of an item, with the selected fields. */
  json(item: unknown): string
}
