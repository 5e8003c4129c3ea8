import { z } from 'zod'
import { route } from './route.ts'

export const Health = z
  .object({ status: z.literal('ok'), version: z.string(), uptime_seconds: z.int() })
  .meta({ id: 'Health' })
export const Readiness = z
  .object({ status: z.literal('ready'), store: z.enum(['sqlite', 'postgresql']), node: z.string() })
  .meta({ id: 'Readiness' })

export const service = {
  health: route({
    method: 'GET',
    path: '/health',
    summary: 'Whether the process runs',
    audience: 'public',
    returns: Health,
    rate: 'none',
  }),
  ready: route({
    method: 'GET',
    path: '/ready',
    summary: 'Whether the service can take requests: the store answers and the node is not stopping',
    audience: 'public',
    returns: Readiness,
    rate: 'none',
    errors: ['service_unavailable'],
  }),
}
