/** A webhook listener on loopback: answers the challenge unless it is told otherwise, and remembers what it was sent. */
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
  /** Without slash at the end; every path answers. */
  url: string
  heard: Heard[]
  /** Set it to answer otherwise. */
  answer: (response: ServerResponse, heard: Heard) => void
  /** Lets the process end while it listens. */
  unref(): void
}

export const challengeOf = ({ target }: Heard): string =>
  new URL(target, 'http://listener.test').searchParams.get('challenge') ?? ''

/** What a good listener does: the challenge back, and 200 for everything else. */
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
