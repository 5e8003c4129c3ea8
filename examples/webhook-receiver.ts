import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { challengeOf, verifyWebhook } from '@waypost/sdk'

const secret = process.env.WEBHOOK_SECRET ?? ''
createServer(async (request, response) => {
  if (request.method === 'GET') return response.end(challengeOf(request.url ?? ''))
  const told = await verifyWebhook(buffer(request), request.headers, secret).catch(console.error)
  if (told) console.log(told.type, told.data.object)
  response.writeHead(told ? 200 : 401).end()
}).listen(Number(process.env.PORT ?? 8000))
