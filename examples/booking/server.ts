/** Creates a booking page, prints its link, and prints what guests book. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { challengeOf, verifyWebhook, WebhookVerificationError } from '@waypost/sdk'
import { openPage, registerDestination } from './booking-page.ts'

const port = Number(process.env.PORT ?? 8010)
let secret = ''

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { type, data } = await verifyWebhook(buffer(request), request.headers, secret)
  if (type === 'booking.created' || type === 'booking.rescheduled' || type === 'booking.cancelled') {
    const { title, start_time } = data.object.booking_info
    console.log(`${type}: ${title}, ${new Date(start_time * 1000).toISOString()}`)
  }
  response.writeHead(200).end()
}

const server = createServer((request, response) => {
  // Waypost asks a new destination for this answer.
  if (request.method === 'GET') return void response.end(challengeOf(request.url ?? ''))
  receive(request, response).catch((error: unknown) => {
    const isForged = error instanceof WebhookVerificationError
    if (!isForged) console.error(error)
    response.writeHead(isForged ? 401 : 500).end()
  })
})

server.listen(port, '127.0.0.1', async () => {
  secret = await registerDestination(process.env.WEBHOOK_URL ?? `http://127.0.0.1:${port}/`)
  console.log(`Booking page: ${await openPage()}`)
})
