/**
 * A webhook listener on loopback. It answers the challenge unless a test sets another answer, and records its requests.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Heard {
  method: string
  /** Path and query. */
  target: string
  headers: IncomingMessage['headers']
  body: string
}

export interface Listener extends AsyncDisposable {
  /** Without a slash at the end; every path is answered. */
  url: string
  heard: Heard[]
  /** Tests replace it to answer in another way. */
  answer: (response: ServerResponse, heard: Heard) => void
  /** The process can end while the listener is open. */
  unref(): void
}

export const challengeOf = ({ target }: Heard): string =>
  new URL(target, 'http://listener.test').searchParams.get('challenge') ?? ''

/** The answer of a correct listener: the challenge if there is one, and 200 to everything else. */
export const answerWell: Listener['answer'] = (response, heard) => void response.end(challengeOf(heard))

export async function openListener(): Promise<Listener> {
  const heard: Heard[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url: target = '', headers } = request
    const entry = { method, target, headers, body: await text(request) }
    heard.push(entry)
    listener.answer(response, entry)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const listener: Listener = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    answer: answerWell,
    unref: () => void server.unref(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return listener
}
