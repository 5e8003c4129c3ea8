import { z } from 'zod'
import { route } from './route.ts'

export const Health = z
  .object({
    status: z.literal('ok').meta({ description: 'Always `ok`: a process that does not run answers nothing' }),
    version: z.string().meta({ description: 'Version of the service' }),
    uptime_seconds: z.int().meta({ description: 'Seconds since this process was started' }),
  })
  .meta({ id: 'Health', description: 'That the process runs' })
export const Readiness = z
  .object({
    status: z.literal('ready').meta({ description: 'Always `ready`: otherwise the answer is 503' }),
    store: z.enum(['sqlite', 'postgresql']).meta({ description: 'Which database holds the data' }),
    node: z.string().meta({ description: 'Id of the node that answers, where several share a store' }),
  })
  .meta({ id: 'Readiness', description: 'That the service can take requests' })

export const service = {
  health: route({
    method: 'GET',
    path: '/health',
    summary: 'Whether the process runs',
    description:
      'For the probe that restarts a process which hangs. It asks neither the store nor a provider: a store that is away is no reason to restart.',
    audience: 'public',
    returns: Health,
    rate: 'none',
  }),
  ready: route({
    method: 'GET',
    path: '/ready',
    summary: 'Whether the service can take requests: the store answers and the node is not stopping',
    description:
      'For the probe of a load balancer. Answered with 503 `service_unavailable` while the store does not answer, and from the moment the node is told to stop, so that no new requests are sent to it.',
    audience: 'public',
    returns: Readiness,
    rate: 'none',
    errors: ['service_unavailable'],
  }),
}
