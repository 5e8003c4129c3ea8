// One simulated Cloud Pub/Sub with the token endpoint of its service accounts, over REST. State is in memory.
import type { ServiceAccountKey } from '../google/oauth/service-accounts.ts'
import type { Failure } from '../shared/faults.ts'
import { jsonAnswer, type RawAnswer, type RawRequest } from '../shared/http.ts'
import { pause } from '../shared/pushes.ts'
import { routeTable } from '../shared/routing.ts'
import { openSimulator, type Simulator, type SimulatorOptions } from '../shared/simulator.ts'
import { createAccess, type PubSubRole } from './access.ts'
import { CloudError, errorAnswer, type PubSubRefusal, refusalAnswer } from './errors.ts'
import { bodyOf, pubSubRoutes, type Service } from './routes.ts'
import { type PubSubMessage, Topics } from './topics.ts'

export type PubSubFailure = Failure<PubSubRefusal>

export interface PubSubOptions extends SimulatorOptions {
  /** Lifetime of access tokens; default 3600. */
  readonly accessTokenSeconds?: number
  /** Delays every response. */
  readonly latencyMs?: number
  /** Quota of published bytes in each minute of the clock; default: unlimited. */
  readonly publishBytesPerMinute?: number
}

export interface PubSubSimulator extends Simulator<PubSubFailure> {
  /** Creates a service account and returns its key file. Default: `roles/pubsub.publisher`. */
  addServiceAccount(roles?: readonly PubSubRole[]): ServiceAccountKey
  setRoles(email: string, roles: readonly PubSubRole[]): void
  /** The account and its key are deleted. */
  removeServiceAccount(email: string): void
  expireAccessTokens(): void
  /** Creates `projects/<project>/topics/<topic>`. */
  addTopic(name: string): void
  deleteTopic(name: string): void
  /** Everything that was published to a topic, oldest first. */
  messages(topic: string): readonly PubSubMessage[]
}

/** Starts a simulated Pub/Sub without topics. */
export async function startPubSub(options: PubSubOptions = {}): Promise<PubSubSimulator> {
  const { now = Date.now, accessTokenSeconds = 3600, latencyMs = 0 } = options
  const { simulator, answerWith } = await openSimulator(options, refusalAnswer)
  const access = createAccess({ url: simulator.url, now }, { accessTokenSeconds })
  const topics = new Topics(now)
  const service: Service = { topics, access, spend: createQuota(options.publishBytesPerMinute, now) }
  const routes = routeTable(pubSubRoutes(service))

  async function answer(request: RawRequest): Promise<RawAnswer> {
    if (latencyMs > 0 && request.signal) await pause(latencyMs, request.signal)
    if (request.url.pathname === '/token' && request.method === 'POST') return access.answerToken(request)
    const match = routes.find(request.method, request.url.pathname)
    if (typeof match !== 'object')
      return refusalAnswer({ status: 404, reason: 'NOT_FOUND', message: 'Method not found.' })
    try {
      const caller = access.callerOf(request)
      const { permission } = match.route
      if (permission !== undefined && !access.permits(caller, permission)) {
        throw new CloudError('PERMISSION_DENIED', 'User not authorized to perform this action.')
      }
      const requested = { request, params: match.params, body: bodyOf(request), caller }
      return { ...jsonAnswer(200, match.route.handle(requested)), account: caller }
    } catch (error) {
      if (error instanceof CloudError) return errorAnswer(error)
      throw error
    }
  }

  answerWith(answer)

  return {
    ...simulator,
    addServiceAccount: (roles = ['roles/pubsub.publisher']) => access.add(roles),
    setRoles: access.setRoles,
    removeServiceAccount: access.remove,
    expireAccessTokens: access.expireAccessTokens,
    addTopic: (name) => topics.create(name),
    deleteTopic: (name) => topics.delete(name),
    messages: (topic) => topics.messages(topic),
  }
}

/** Counts bytes per minute of the clock. */
function createQuota(max: number | undefined, now: () => number): (bytes: number) => void {
  let minute = 0
  let spent = 0
  return (bytes) => {
    const current = Math.floor(now() / 60_000)
    if (current !== minute) {
      minute = current
      spent = 0
    }
    if (max !== undefined && spent + bytes > max) {
      throw new CloudError(
        'RESOURCE_EXHAUSTED',
        "Quota exceeded for quota metric 'Regional publisher throughput, kB' and limit 'Regional publisher throughput, kB per minute per region' of service 'pubsub.googleapis.com'.",
      )
    }
    spent += bytes
  }
}
