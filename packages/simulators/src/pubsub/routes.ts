// The REST methods of Pub/Sub. https://cloud.google.com/pubsub/docs/reference/rest
import { isObject, type JsonObject, type Method, type RawRequest } from '../shared/http.ts'
import type { Access } from './access.ts'
import { CloudError } from './errors.ts'
import { messagesOf } from './publish-limits.ts'
import type { Topics } from './topics.ts'

export interface Service {
  readonly topics: Topics
  readonly access: Access
  /** Counts published bytes; throws when the quota is exhausted. */
  spend(bytes: number): void
}

export interface PushRequest {
  readonly request: RawRequest
  readonly params: Readonly<Record<string, string>>
  readonly body: JsonObject
  readonly caller: string
}

export interface PubSubRoute {
  readonly method: Method
  readonly path: string
  /** Without one, any signed-in caller is accepted. */
  readonly permission?: string
  handle(requested: PushRequest): unknown
}

const TOPIC = '/v1/projects/:project/topics/:topic'
const SUBSCRIPTION = '/v1/projects/:project/subscriptions/:subscription'

const topicOf = ({ params }: PushRequest): string => `projects/${params.project}/topics/${params.topic}`
const subscriptionOf = ({ params }: PushRequest): string =>
  `projects/${params.project}/subscriptions/${params.subscription}`
/** `{topic}` and `{subscription}` of the resource name rules. */
const NAME = /^(?!goog)[A-Za-z][\w.~+%-]{2,254}$/

export const pubSubRoutes = (service: Service): PubSubRoute[] => [
  ...topicRoutes(service),
  ...subscriptionRoutes(service),
]

function topicRoutes({ topics, access, spend }: Service): PubSubRoute[] {
  return [
    {
      method: 'PUT',
      path: TOPIC,
      permission: 'pubsub.topics.create',
      handle(requested) {
        checkName(requested.params.topic)
        topics.create(topicOf(requested))
        return { name: topicOf(requested) }
      },
    },
    {
      method: 'GET',
      path: TOPIC,
      permission: 'pubsub.topics.get',
      handle(requested) {
        topics.messages(topicOf(requested))
        return { name: topicOf(requested) }
      },
    },
    {
      method: 'GET',
      path: '/v1/projects/:project/topics',
      permission: 'pubsub.topics.list',
      handle: ({ params }) => ({ topics: topics.names(params.project ?? '').map((name) => ({ name })) }),
    },
    {
      method: 'DELETE',
      path: TOPIC,
      permission: 'pubsub.topics.delete',
      handle(requested) {
        topics.delete(topicOf(requested))
        return {}
      },
    },
    {
      method: 'POST',
      path: `${TOPIC}:publish`,
      permission: 'pubsub.topics.publish',
      handle(requested) {
        const bytes = requested.request.body.length
        topics.messages(topicOf(requested))
        const messages = messagesOf(requested.body, bytes)
        spend(bytes)
        return { messageIds: topics.publish(topicOf(requested), messages) }
      },
    },
    {
      method: 'POST',
      path: `${TOPIC}:testIamPermissions`,
      handle(requested) {
        const wanted = textsOf(requested.body.permissions)
        // Google returns no permission for a topic that does not exist, instead of an error.
        if (!topics.has(topicOf(requested))) return {}
        const permissions = wanted.filter((permission) => access.permits(requested.caller, permission))
        return permissions.length === 0 ? {} : { permissions }
      },
    },
  ]
}

function subscriptionRoutes({ topics }: Service): PubSubRoute[] {
  return [
    {
      method: 'PUT',
      path: SUBSCRIPTION,
      permission: 'pubsub.subscriptions.create',
      handle(requested) {
        checkName(requested.params.subscription)
        const { topic, enableMessageOrdering, ackDeadlineSeconds } = requested.body
        if (typeof topic !== 'string') throw new CloudError('INVALID_ARGUMENT', 'You have not specified a topic.')
        const settings = {
          topic,
          enableMessageOrdering: enableMessageOrdering === true,
          ackDeadlineSeconds: numberOf(ackDeadlineSeconds) || 10,
        }
        topics.subscribe(subscriptionOf(requested), settings)
        return { name: subscriptionOf(requested), ...settings, pushConfig: {}, state: 'ACTIVE' }
      },
    },
    {
      method: 'GET',
      path: SUBSCRIPTION,
      permission: 'pubsub.subscriptions.get',
      handle(requested) {
        const { waiting: _, ...settings } = topics.subscription(subscriptionOf(requested))
        return { name: subscriptionOf(requested), ...settings, pushConfig: {}, state: 'ACTIVE' }
      },
    },
    {
      method: 'DELETE',
      path: SUBSCRIPTION,
      permission: 'pubsub.subscriptions.delete',
      handle(requested) {
        topics.unsubscribe(subscriptionOf(requested))
        return {}
      },
    },
    {
      method: 'POST',
      path: `${SUBSCRIPTION}:pull`,
      permission: 'pubsub.subscriptions.consume',
      handle(requested) {
        const max = numberOf(requested.body.maxMessages)
        if (max < 1) throw new CloudError('INVALID_ARGUMENT', 'The max_messages field must be positive.')
        const receivedMessages = topics.pull(subscriptionOf(requested), Math.min(max, 1_000))
        return receivedMessages.length === 0 ? {} : { receivedMessages: receivedMessages.map(received) }
      },
    },
    {
      method: 'POST',
      path: `${SUBSCRIPTION}:acknowledge`,
      permission: 'pubsub.subscriptions.consume',
      handle(requested) {
        topics.acknowledge(subscriptionOf(requested), textsOf(requested.body.ackIds))
        return {}
      },
    },
    {
      method: 'POST',
      path: `${SUBSCRIPTION}:modifyAckDeadline`,
      permission: 'pubsub.subscriptions.consume',
      handle(requested) {
        const seconds = numberOf(requested.body.ackDeadlineSeconds)
        topics.modifyDeadline(subscriptionOf(requested), textsOf(requested.body.ackIds), seconds)
        return {}
      },
    },
  ]
}

/** Empty fields are left out of a message, and a delivery attempt is reported only with a dead letter policy. */
function received({ ackId, message }: ReturnType<Topics['pull']>[number]) {
  const { data, attributes, orderingKey, messageId, publishTime } = message
  return {
    ackId,
    message: {
      ...(data !== '' && { data }),
      ...(Object.keys(attributes).length > 0 && { attributes }),
      messageId,
      publishTime,
      ...(orderingKey !== '' && { orderingKey }),
    },
  }
}

function checkName(name = ''): void {
  if (!NAME.test(name)) throw new CloudError('INVALID_ARGUMENT', `Invalid resource name given (name=${name}).`)
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

export function bodyOf(request: RawRequest): JsonObject {
  if (request.body.length === 0) return {}
  try {
    const value: unknown = JSON.parse(Buffer.from(request.body).toString())
    if (isObject(value)) return value
  } catch {}
  throw new CloudError('INVALID_ARGUMENT', 'Invalid JSON payload received.')
}
