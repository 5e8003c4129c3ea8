/** The port of a worker node, which serves only the health checks of an orchestrator. */

import { enginesFor } from '@waypost/testing/engines'
import { expect, test } from 'vitest'
import { openService } from '../../harness.ts'

const token = 'metrics-token-of-a-worker'

test.for(enginesFor(import.meta.url))(
  'a worker on %s answers /health, /ready and /metrics, and no requests',
  async (engine) => {
    await using service = await openService({ engine, env: { WAYPOST_ROLES: 'worker', WAYPOST_METRICS_TOKEN: token } })
    const base = await service.listen()
    for (const path of ['/health', '/ready']) expect((await fetch(`${base}${path}`)).status, path).toBe(200)
    expect((await fetch(`${base}/metrics`)).status).toBe(401)
    const metrics = await fetch(`${base}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    expect(await metrics.text()).toContain('waypost_deliveries_waiting')
    for (const path of ['/v3/grants', '/dashboard', '/docs', '/openapi.json', '/nowhere']) {
      const answer = await fetch(`${base}${path}`, { headers: { authorization: `Bearer ${service.apiKey}` } })
      expect(answer.status, path).toBe(404)
      expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining('role api') } })
    }
  },
)
