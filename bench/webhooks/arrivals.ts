/** The time from an API call to the arrival of its notification, without other load. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type FigureRow, percentile, quick, rowOf } from '../figures.ts'
import { openNode } from '../node.ts'

export async function arrivals(store: string, databaseUrl: string | undefined): Promise<FigureRow[]> {
  await using stack = new AsyncDisposableStack()
  const env = { WAYPOST_EGRESS: 'private', ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) }
  const { services, call } = stack.use(await openNode(env))
  let arrived: () => void = () => undefined
  const listener = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      response.end(new URL(request.url ?? '', 'http://x').searchParams.get('challenge') ?? '')
      if (request.method === 'POST') arrived()
    })
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  stack.defer(() => {
    listener.close()
    listener.closeAllConnections()
  })
  const address = listener.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
  const connecting = { provider: 'virtual-calendar', settings: { email: 'bench' } }
  const { id: grant } = (await call('POST', '/v3/connect/custom', connecting)).data
  await call('POST', '/v3/webhooks', {
    webhook_url: `http://127.0.0.1:${port}/low`,
    trigger_types: ['event.created'],
  })
  const { id: calendar } = (await call('POST', `/v3/grants/${grant}/calendars`, { name: 'Low load' })).data
  const stopper = new AbortController()
  const run = services.notifications.deliverer.run(stopper.signal)
  const times: number[] = []
  for (let round = 0; round < (quick ? 50 : 300); round++) {
    const came = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const started = performance.now()
    const when = { start_time: 1_800_000_000, end_time: 1_800_003_600 }
    await call('POST', `/v3/grants/${grant}/events?calendar_id=${calendar}`, { title: 'x', when })
    await came
    times.push(performance.now() - started)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  stopper.abort()
  await run
  const of = { store, unit: 'ms' }
  return [
    rowOf('API call to arrival (p50)', { ...of, figure: percentile(times, 0.5), aim: '<= 50' }),
    rowOf('API call to arrival (p99)', { ...of, figure: percentile(times, 0.99), aim: '<= 250' }),
  ]
}
