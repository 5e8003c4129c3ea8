import type {
  AmqpChannel,
  amqpChannels,
  NatsChannel,
  natsChannels,
  PubsubChannel,
  pubsubChannels,
  SnsChannel,
  snsChannels,
} from '../channels.ts'
import type { ExamplesOf } from './example.ts'

const shared = {
  description: 'Bookings',
  trigger_types: ['event.created', 'event.updated', 'event.deleted', 'grant.expired'],
  status: 'active',
  notification_email_addresses: ['ops@example.com'],
  compressed_delivery: false,
  has_credentials: true,
  status_updated_at: 1_736_424_600,
  created_at: 1_736_424_600,
  updated_at: 1_736_424_600,
} satisfies Partial<PubsubChannel>
const drafted = {
  description: shared.description,
  trigger_types: shared.trigger_types,
  notification_email_addresses: shared.notification_email_addresses,
}
const paused = { status: 'pause', status_updated_at: 1_739_175_300, updated_at: 1_739_175_300 } as const
const deleted = { status: 'success' } as const

const pubsub: PubsubChannel = {
  id: 'p7d2mx9kq4wz6tb3vhn8rc5yse',
  ...shared,
  has_credentials: false,
  topic: 'projects/my-project/topics/waypost',
}
export const pubsubChannelExamples: ExamplesOf<typeof pubsubChannels> = {
  list: { answer: [pubsub] },
  create: {
    body: { topic: pubsub.topic, ...drafted },
    answer: pubsub,
    more: {
      own: {
        summary: 'With a service account of your own',
        body: {
          topic: pubsub.topic,
          trigger_types: ['message.created'],
          credentials:
            '{"type":"service_account","client_email":"publisher@my-project.iam.gserviceaccount.com","private_key":"-----BEGIN PRIVATE KEY-----\\n…\\n-----END PRIVATE KEY-----\\n"}',
        },
        answer: { ...pubsub, trigger_types: ['message.created'], has_credentials: true },
      },
    },
  },
  get: { params: { channel_id: pubsub.id }, answer: pubsub },
  update: { params: { channel_id: pubsub.id }, body: { status: 'pause' }, answer: { ...pubsub, ...paused } },
  delete: { params: { channel_id: pubsub.id }, answer: deleted },
}

const sns: SnsChannel = {
  id: 's3k8vn5xw2qd7mz9tb4hr6cpye',
  ...shared,
  topic: 'arn:aws:sns:eu-west-1:123456789012:waypost.fifo',
  role_arn: null,
}
export const snsChannelExamples: ExamplesOf<typeof snsChannels> = {
  list: { answer: [sns] },
  create: {
    body: {
      topic: sns.topic,
      access_key_id: 'AKIAIOSFODNN7EXAMPLE',
      secret_access_key: 'wJalrXUtnFEMI/K7MDENG',
      ...drafted,
    },
    answer: sns,
    more: {
      role: {
        summary: 'With a role that the access key of the operator assumes',
        body: {
          topic: sns.topic,
          role_arn: 'arn:aws:iam::123456789012:role/waypost-publisher',
          trigger_types: ['message.created'],
        },
        answer: {
          ...sns,
          role_arn: 'arn:aws:iam::123456789012:role/waypost-publisher',
          trigger_types: ['message.created'],
          has_credentials: false,
        },
      },
    },
  },
  get: { params: { channel_id: sns.id }, answer: sns },
  update: { params: { channel_id: sns.id }, body: { status: 'pause' }, answer: { ...sns, ...paused } },
  delete: { params: { channel_id: sns.id }, answer: deleted },
}

const nats: NatsChannel = {
  id: 'n5t8hw2zc6mk9xq3vbr7dp4sye',
  ...shared,
  servers: ['tls://nats.example.com:4222'],
  subject: 'waypost.notifications',
  stream: 'WAYPOST',
}
export const natsChannelExamples: ExamplesOf<typeof natsChannels> = {
  list: { answer: [nats] },
  create: {
    body: { servers: nats.servers, subject: nats.subject, stream: nats.stream, token: 's3cr3t-t0k3n', ...drafted },
    answer: nats,
  },
  get: { params: { channel_id: nats.id }, answer: nats },
  update: { params: { channel_id: nats.id }, body: { status: 'pause' }, answer: { ...nats, ...paused } },
  delete: { params: { channel_id: nats.id }, answer: deleted },
}

const amqp: AmqpChannel = {
  id: 'a9r4cx7mw3tz5kq8vhb2nd6pye',
  ...shared,
  url: 'amqps://rabbit.example.com/waypost',
  exchange: 'notifications',
  routing_key: 'waypost',
}
export const amqpChannelExamples: ExamplesOf<typeof amqpChannels> = {
  list: { answer: [amqp] },
  create: {
    body: {
      url: amqp.url,
      exchange: amqp.exchange,
      routing_key: amqp.routing_key,
      username: 'waypost',
      password: 'correct horse battery staple',
      ...drafted,
    },
    answer: amqp,
  },
  get: { params: { channel_id: amqp.id }, answer: amqp },
  update: { params: { channel_id: amqp.id }, body: { status: 'pause' }, answer: { ...amqp, ...paused } },
  delete: { params: { channel_id: amqp.id }, answer: deleted },
}
