/** HTTP written by hand: for requests that no client would send. */
import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface RawAnswer {
  status: number
  headers: Headers
  body: string
}

/** What came over one connection, and whether the server closed it. */
export interface Exchange {
  /** Answers in order; interim ones are left out. */
  answers: RawAnswer[]
  closed: boolean
}

export interface RawOptions {
  /** How long to wait for the server to close, once everything is written. */
  patience?: number
  /** Stop as soon as this many answers are there. */
  until?: number
}

/** The server and its end of the connection, of the next request that a server of this process takes. */
export function nextRequest(): Promise<{ server: Server; socket: Socket }> {
  const started = channel('http.server.request.start')
  return new Promise((resolve) => {
    const take = (message: unknown): void => {
      started.unsubscribe(take)
      resolve(message as { server: Server; socket: Socket })
    }
    started.subscribe(take)
  })
}

/** Writes parts (a number is a pause in milliseconds) and reads what comes back. */
export async function exchange(
  address: string,
  parts: readonly (string | Uint8Array | number)[],
  { patience = 30_000, until = 1 }: RawOptions = {},
): Promise<Exchange> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  const received: Buffer[] = []
  let closed = false
  socket.on('data', (chunk) => received.push(Buffer.from(chunk)))
  socket.on('error', () => undefined)
  socket.once('close', () => {
    closed = true
  })
  await once(socket, 'connect')
  const read = (): RawAnswer[] => parseAnswers(Buffer.concat(received))
  for (const part of parts) {
    if (closed) break
    if (typeof part === 'number') await sleep(part)
    else socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part)
  }
  const end = performance.now() + patience
  while (!closed && performance.now() < end && read().length < until) await sleep(5)
  // An answer that says "close" is followed by the end of the connection.
  if (read().at(-1)?.headers.get('connection') === 'close') while (!closed && performance.now() < end) await sleep(5)
  const outcome = { answers: read(), closed }
  socket.destroy()
  return outcome
}

function parseAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  let at = 0
  for (;;) {
    const end = bytes.indexOf('\r\n\r\n', at)
    if (end === -1) return answers
    const [first = '', ...lines] = bytes.toString('latin1', at, end).split('\r\n')
    const headers = new Headers(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon), line.slice(colon + 1).trim()]
      }),
    )
    const status = Number(first.split(' ')[1])
    at = end + 4
    if (status < 200) continue
    const length = Number(headers.get('content-length') ?? 0)
    if (bytes.length < at + length) return answers
    answers.push({ status, headers, body: bytes.toString('utf8', at, at + length) })
    at += length
  }
}
