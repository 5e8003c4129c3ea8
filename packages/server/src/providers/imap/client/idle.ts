/** Waits on an open connection until a server tells of something (IDLE, RFC 2177), or it is time to ask. */
import type { ImapFlow } from 'imapflow'
import { internals } from './internals.ts'

/** How long a command may go without an answer. */
const graceMs = 30_000
/** An IDLE that ends by itself sooner than this, with nothing to tell, is none. */
const minIdleMs = 5_000

export interface WaitOptions {
  idles: boolean
  /** How long it is waited at most, and how long where the server refuses to tell. */
  milliseconds: number
  pollMs: number
  signal: AbortSignal
  /** Is given what ends the wait. */
  started(end: (() => void) | undefined): void
  /** Whether the server told of something. */
  hasNews(): boolean
}

/** Answers whether the server offers IDLE and does not do it. */
export async function waitForChange(client: ImapFlow, options: WaitOptions): Promise<{ refusesIdle: boolean }> {
  const { idles, milliseconds, pollMs, signal, started, hasNews } = options
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  /** From the moment that something ends the wait, and not from when it is noticed: the IDLE may end in between. */
  let isOver = false
  let refusesIdle = false
  const over = (): void => {
    isOver = true
    resolve()
  }
  const fail = (error: unknown): void => {
    isOver = true
    reject(error)
  }
  const closed = (): void => fail(Object.assign(new Error('the connection was closed'), { code: 'NoConnection' }))
  let timer = setTimeout(over, milliseconds)
  started(over)
  client.once('close', closed)
  signal.addEventListener('abort', over, { once: true })
  allowSilence(client, Math.max(milliseconds, pollMs) + graceMs)
  const begun = performance.now()
  const idled = (answer: unknown): void => {
    // We ended it ourselves.
    if (isOver) return
    const isEarly = answer === false || (!hasNews() && performance.now() - begun < minIdleMs)
    if (!isEarly) {
      over()
      return
    }
    // From here on the clock says when to ask.
    refusesIdle = true
    clearTimeout(timer)
    timer = setTimeout(over, pollMs)
  }
  const idle = idles ? client.idle().then(idled, fail) : undefined
  try {
    await promise
    // Any command ends the IDLE.
    if (idle && !signal.aborted) await client.noop()
    await (signal.aborted ? undefined : idle)
  } finally {
    clearTimeout(timer)
    allowSilence(client, graceMs)
    started(undefined)
    client.off('close', closed)
    signal.removeEventListener('abort', over)
    if (signal.aborted) client.close()
  }
  return { refusesIdle }
}

/** How long silence is no sign of a dead connection. */
function allowSilence(client: ImapFlow, milliseconds: number): void {
  const { socket } = internals(client)
  if (socket) socket.setTimeout?.(milliseconds)
}
