/** Server-sent events: answers that stay open. A comment keeps proxies and clients from closing a quiet one. */

/** Clients and proxies often close connections that are quiet for 30 or 60 seconds. */
const keepAliveMs = 20_000
/** What may wait for a client that does not read. */
const maxWaiting = 1_000

export interface EventSink {
  /** Sends a message, which is JSON. */
  send(message: string): void
  /** Aborts when the client is gone, the stream is full or it was ended. */
  readonly signal: AbortSignal
}

export const eventStreamHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // nginx would hold events back otherwise.
  'x-accel-buffering': 'no',
}

const encoder = new TextEncoder()

/**
 * A stream that ends when `produce` ends. If `produce` fails, the connection breaks, so that a client does not take it for
 * the end.
 */
export function eventStream(
  produce: (sink: EventSink) => Promise<void>,
  { gone }: { gone: AbortSignal },
): ReadableStream<Uint8Array> {
  const over = new AbortController()
  const leave = (): void => over.abort()
  let timer: NodeJS.Timeout | undefined
  const end = (): void => {
    clearInterval(timer)
    gone.removeEventListener('abort', leave)
    over.abort()
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string): void => {
          if (over.signal.aborted) return
          controller.enqueue(encoder.encode(text))
          if ((controller.desiredSize ?? 0) <= 0) over.abort()
        }
        if (gone.aborted) leave()
        else gone.addEventListener('abort', leave, { once: true })
        timer = setInterval(() => write(':\n\n'), keepAliveMs)
        timer.unref()
        const sink: EventSink = {
          send: (message) => write(`event: message\ndata: ${message}\n\n`),
          signal: over.signal,
        }
        produce(sink).then(
          () => {
            end()
            closeQuietly(controller)
          },
          (error) => {
            end()
            controller.error(error)
          },
        )
      },
      cancel: end,
    },
    { highWaterMark: maxWaiting },
  )
}

/** A stream that its reader has canceled cannot be closed again. */
function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close()
  } catch {
    // The client has left.
  }
}
