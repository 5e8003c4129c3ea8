/** Channels written to the store without a broker, for tests of routes. */

import { createChannel, placeOfDraft } from '../../src/webhooks/channels/channels.ts'
import type { ChannelDrafts } from '../../src/webhooks/channels/forms.ts'
import type { ChannelTransport } from '../../src/webhooks/transports/channel-settings.ts'
import type { TestService } from '../harness.ts'

const common = { trigger_types: ['event.created' as const] }
/** Addresses at which nothing listens. */
export const channelDrafts: ChannelDrafts = {
  pubsub: {
    ...common,
    topic: 'projects/my-project/topics/waypost',
    credentials: JSON.stringify({ client_email: 'publisher@my-project.test', private_key: 'none' }),
  },
  sns: {
    ...common,
    topic: 'arn:aws:sns:eu-west-1:123456789012:waypost',
    access_key_id: 'AKIAIOSFODNN7EXAMPLE',
    secret_access_key: 'none',
  },
  nats: { ...common, servers: ['nats://127.0.0.1:9'], subject: 'waypost.notifications', token: 'none' },
  amqp: {
    ...common,
    url: 'amqp://127.0.0.1:9/',
    exchange: '',
    routing_key: 'waypost',
    username: 'u',
    password: 'none',
  },
}

/** Stores a channel without a real broker, or as `draft` defines it. Returns its id. */
export async function storeChannel<T extends ChannelTransport>(
  {
    services: {
      storage: { database, secrets, clock },
    },
  }: TestService,
  {
    applicationId,
    transport,
    draft = channelDrafts[transport],
  }: { applicationId: string; transport: T; draft?: ChannelDrafts[T] },
): Promise<string> {
  const place = placeOfDraft(transport, draft)
  const tools = { secrets, now: clock.now() }
  const channel = await database.transaction((tx) =>
    createChannel(tx, { applicationId, transport, draft }, place, tools),
  )
  return channel.id
}
