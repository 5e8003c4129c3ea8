import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { challengeOf, verifyWebhook } from '@waypost/sdk'

const secret = process.env.WEBHOOK_SECRET ?? ''
createServer(async (request, response) => {
  if (request.method === 'GET') return response.end(challengeOf(request.url ?? ''))
  const notification = await verifyWebhook(buffer(request), request.headers, secret).catch(console.error)
  if (notification) console.log(notification.type, notification.data.object)
  response.writeHead(notification ? 200 : 401).end()
}).listen(Number(process.env.PORT ?? 8000))
