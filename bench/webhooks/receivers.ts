/** Receivers on separate ports: they read the body, answer `ok`, and report when the last request arrived. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { answering, parametersOf } from './child.ts'

const { count } = parametersOf<{ count: number }>()
let received = 0
let wanted = Number.POSITIVE_INFINITY
let all = Promise.withResolvers<void>()

async function listen(): Promise<number> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      response.writeHead(200, { 'content-length': 2 })
      response.end('ok')
      if (++received === wanted) all.resolve()
    })
  })
  server.keepAliveTimeout = 60_000
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

const ports: number[] = []
for (let index = 0; index < count; index++) ports.push(await listen())

answering({
  ports: () => ports,
  expect(requested: { count: number }) {
    received = 0
    wanted = requested.count
    all = Promise.withResolvers()
  },
  /** Resolves when the expected number has arrived. */
  all: () => all.promise,
})
