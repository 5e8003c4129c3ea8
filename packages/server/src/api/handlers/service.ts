import { ApiError } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { version } from '@waypost/platform/versions'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'

export const service = ({
  storage: { database, storeHealth, room, clock },
  runtime: { node, isLeaving },
}: Pick<Services, 'storage' | 'runtime'>): Handlers['service'] => ({
  health: () => ({ status: 'ok', version, uptime_seconds: seconds(clock.now() - node.startedAt) }),
  ready: async () => {
    if (isLeaving()) throw new ApiError('service_unavailable', 'the node is stopping', { retryAfter: 5 })
    const problem = await storeHealth.problem()
    if (problem !== undefined) throw new ApiError('service_unavailable', problem, { retryAfter: 5 })
    room.needRoom()
    return { status: 'ready', store: database.engine, node: node.id }
  },
})
