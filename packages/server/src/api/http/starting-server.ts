/**
 * Answers on the port of a node while it changes the schema or waits for another node that does: `/health` says that
 * the process is alive, `/ready` says what it waits for. A start without such a wait never opens this server.
 */
import { createServer, type Server } from 'node:http'
import { ApiError } from '@waypost/platform/api-error'
import { newId } from '@waypost/platform/ids'
import { version } from '@waypost/platform/versions'
import { answerError } from './answer.ts'
import { guardsOf } from './answer-guards.ts'
import { prefixOf } from './base-path.ts'

export interface StartingServer extends AsyncDisposable {
  /** Sets what the node waits for. The first call opens the port. */
  waitsFor(what: string): void
}

export function createStartingServer({
  port,
  host,
  baseUrl,
}: {
  port: number
  host: string
  baseUrl: string
}): StartingServer {
  let what = ''
  let server: Server | undefined
  let isOver = false
  const prefix = prefixOf(baseUrl)
  const open = (): Server =>
    createServer((request, response) => {
      const requestId = newId()
      const path = (request.url ?? '').split('?', 1)[0]?.replace(prefix, '')
      const error = new ApiError('service_unavailable', `the node is starting: ${what}`, { retryAfter: 5 })
      const answer =
        path === '/health'
          ? { status: 200, headers: {}, body: JSON.stringify({ request_id: requestId, status: 'starting', version }) }
          : answerError(error, requestId)
      const common = { 'content-type': 'application/json', 'x-request-id': requestId, connection: 'close' }
      response.writeHead(answer.status, { ...guardsOf(baseUrl), ...common, ...answer.headers }).end(answer.body)
    })
      // If the port is in use, the node's own server reports it.
      .on('error', () => undefined)
      .listen({ port, host })
  return {
    waitsFor(next) {
      what = next
      // Nobody knows a port that the system chooses.
      if (port !== 0 && !isOver) server ??= open()
    },
    async [Symbol.asyncDispose]() {
      // Steps in the background report later.
      isOver = true
      const opened = server
      if (!opened) return
      opened.closeAllConnections()
      await new Promise<void>((resolve) => opened.close(() => resolve()))
    },
  }
}
