import { z } from 'zod'
import { route } from './route.ts'

export const Health = z
  .object({
    status: z.literal('ok').meta({ description: 'Always `ok`: a stopped process does not respond' }),
    version: z.string().meta({ description: 'Version of the service' }),
    uptime_seconds: z.int().meta({ description: 'Seconds since this process was started' }),
  })
  .meta({ id: 'Health', description: 'Liveness of the process' })
export const Readiness = z
  .object({
    status: z.literal('ready').meta({ description: 'Always `ready`: otherwise the request fails with 503' }),
    store: z.enum(['sqlite', 'postgresql']).meta({ description: 'Type of the database' }),
    node: z.string().meta({ description: 'Id of the responding node, if several share a store' }),
  })
  .meta({ id: 'Readiness', description: 'Readiness of the service' })

export const service = {
  health: route({
    method: 'GET',
    path: '/health',
    summary: 'Check whether the process runs',
    description:
      'For a liveness probe that restarts a process that hangs. It uses neither the store nor a provider, because an unavailable store is no reason to restart.',
    audience: 'public',
    returns: Health,
    rate: 'none',
  }),
  ready: route({
    method: 'GET',
    path: '/ready',
    summary: 'Check whether the service can handle requests',
    description:
      'For the readiness probe of a load balancer. Fails with 503 `service_unavailable` while the store does not respond, and as soon as the node starts to shut down, so that it gets no new requests.',
    audience: 'public',
    returns: Readiness,
    rate: 'none',
    errors: ['service_unavailable'],
  }),
}
