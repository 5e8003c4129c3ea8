/**
 * A proxy for a calendar server: when an event is written, it runs an action before or after the server receives it.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface CalendarProxy extends AsyncDisposable {
  readonly url: string
  /** The action at the next written event, once. */
  atPut(moment: 'before' | 'after', act: () => Promise<void>): void
}

/** Forwards requests to a server; `origin` without a trailing slash. */
export async function startCalendarProxy(origin: string): Promise<CalendarProxy> {
  let wait: { moment: 'before' | 'after'; act: () => Promise<void> } | undefined
  const reached = async (moment: 'before' | 'after', { method }: IncomingMessage): Promise<boolean> => {
    if (method !== 'PUT' || wait?.moment !== moment) return false
    const { act } = wait
    wait = undefined
    await act()
    return true
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    // The client is gone: nothing forwards the request any more.
    if (await reached('before', request)) return void response.destroy()
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = request.headers
    const answer = await fetch(`${origin}${request.url}`, {
      method: request.method ?? 'GET',
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      redirect: 'manual',
      ...(body.length > 0 ? { body } : {}),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (await reached('after', request)) return void response.destroy()
    const passed = [...answer.headers].filter(
      ([name]) => !/^(?:content-length|content-encoding|connection|transfer-encoding)$/.test(name),
    )
    response.writeHead(answer.status, Object.fromEntries(passed)).end(bytes)
  }

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    atPut(moment, act) {
      wait = { moment, act }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
