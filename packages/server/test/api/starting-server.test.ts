/** A node that waits for a schema change listens on its port, and reports what it waits for. */
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { createStartingServer } from '../../src/api/http/starting-server.ts'

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

test('a starting node is alive but not ready, reports what it waits for, and releases its port', async () => {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const starting = createStartingServer({ port, host: '127.0.0.1', baseUrl: `${base}/mail` })
  await expect(fetch(`${base}/ready`)).rejects.toThrow()
  starting.waitsFor('change 49 (jobs), index outbox_failed: 10 % done by web-1/17/abc')
  starting.waitsFor('change 49 (jobs), index outbox_failed: 40 % done by web-1/17/abc')
  await expect
    .poll(
      () =>
        fetch(`${base}/health`).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 30_000 },
    )
    .toBe(200)
  for (const path of ['/ready', '/mail/ready', '/v3/grants']) {
    const answer = await fetch(`${base}${path}`)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(await answer.json()).toMatchObject({
      error: {
        type: 'api.service_unavailable',
        message: 'the node is starting: change 49 (jobs), index outbox_failed: 40 % done by web-1/17/abc',
      },
    })
  }
  expect(await (await fetch(`${base}/mail/health`)).json()).toMatchObject({ status: 'starting' })
  await starting[Symbol.asyncDispose]()
  starting.waitsFor('a step in the background')
  await expect(fetch(`${base}/ready`)).rejects.toThrow()
})
