/**
 * Receives notifications so that each is processed once: verified before its content is used, stored on disk before
 * it is acknowledged, recognized by its id when it is sent again, and processed separately from the response, also
 * after a crash.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { challengeOf, verifyWebhook, WebhookVerificationError } from '@waypost/sdk'
import { openJournal } from './journal.ts'
import { prepare, work } from './work.ts'

const secret = process.env.WEBHOOK_SECRET ?? ''
const port = Number(process.env.PORT ?? 8020)
const journal = openJournal(process.env.JOURNAL ?? 'webhooks.db', prepare)

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const reported = await verifyWebhook(buffer(request), request.headers, secret)
  const isNew = journal.keep({ id: reported.id, type: reported.type, payload: JSON.stringify(reported) })
  // Also for a duplicate; otherwise it would be sent again.
  response.writeHead(200).end(isNew ? 'stored' : 'duplicate')
  wake()
}

let isAwake = false
/** Processes waiting notifications one at a time, while others are received. */
function wake(delayMs = 0): void {
  if (isAwake) return
  isAwake = true
  setTimeout(() => {
    isAwake = false
    try {
      if (journal.workOne(work)) wake()
    } catch (error) {
      console.error('will be tried again:', error)
      wake(5000)
    }
  }, delayMs)
}

const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(challengeOf(request.url ?? ''))
  receive(request, response).catch((error: unknown) => {
    const isForged = error instanceof WebhookVerificationError
    if (!isForged) console.error(error)
    response.writeHead(isForged ? 401 : 500).end(isForged ? error.reason : '')
  })
})
server.listen(port, '127.0.0.1', () => console.log(`Receiver: http://127.0.0.1:${port}/`))
wake()

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    server.close()
    server.closeAllConnections()
    journal.close()
    process.exit(0)
  })
}
