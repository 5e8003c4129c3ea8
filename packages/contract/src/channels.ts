/** Notification channels: destinations that publish to a broker. One resource per transport, with the same operations. */
import { z } from 'zod'
import { changeFields, draftFields, SetStatus, shownFields } from './destination-fields.ts'
import { line, selectParam } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

const shown = {
  ...shownFields,
  has_credentials: z.boolean().meta({
    description:
      'Whether the channel has its own credentials, which are never returned. If not, those of the operator are used',
  }),
}
const Compressed = z.boolean().nullish().meta({
  description: 'true: messages are gzip, with an attribute or header that says so',
})
const drafted = { ...draftFields, compressed_delivery: Compressed }
const changed = {
  ...changeFields,
  compressed_delivery: Compressed,
  status: SetStatus.meta({
    description:
      '`pause`: nothing is sent, and new changes are not queued. `active`: delivers again once the broker was verified.',
  }),
}
const unchanged = 'unchanged if absent'
/** Stored credentials must not go to a place that somebody else named. */
const moved = (place: string): string => `Another ${place} needs the credentials again, in the same request`
const typeWords = '`{type}` in it is replaced by the type of the notification'
/** An optional value that a change leaves as it is. */
const maybe = <T extends z.ZodType>(form: T, description: string) => form.optional().meta({ description })
const secret = (max: number) => z.string().min(1).max(max)

// Google Pub/Sub.
const Topic = line(512)
  .regex(/^projects\/[a-z][a-z0-9-]{4,61}[a-z0-9]\/topics\/[A-Za-z][A-Za-z0-9._~+%-]{2,254}$/, {
    error: 'must be the full name of a topic, such as projects/my-project/topics/my-topic',
  })
  .meta({ description: 'Full name of the topic: `projects/<project>/topics/<topic>`' })
const ServiceAccount = z
  .union([z.string().min(1).max(16_384), z.record(z.string().max(100), z.string().max(8_192))])
  .nullish()
  .meta({
    description:
      'Key of a service account that may publish to the topic: the content of its JSON file, as a text or an object. Encrypted and never returned. Without it, the service account of the operator publishes (`WAYPOST_PUBSUB_CREDENTIALS`). null in a change removes it.',
  })
const EncryptionKey = z
  .string()
  .max(0, { error: 'is not supported: leave it empty. A key of your own can encrypt the topic (CMEK)' })
  .nullish()
  .meta({ description: 'For compatibility: only an empty value is accepted. The topic itself can have a key' })

export const PubsubChannel = z
  .object({ ...shown, topic: z.string().meta({ description: 'Full name of the topic' }) })
  .meta({ id: 'PubsubChannel', description: 'A channel that publishes notifications to a Google Pub/Sub topic' })
export type PubsubChannel = z.output<typeof PubsubChannel>
const pubsubFields = <S extends object>(shared: S) => ({
  topic: Topic,
  ...shared,
  credentials: ServiceAccount,
  encryption_key: EncryptionKey,
})
export const PubsubChannelDraft = z
  .object(pubsubFields(drafted))
  .meta({ id: 'PubsubChannelDraft', description: 'A new Pub/Sub channel' })
export type PubsubChannelDraft = z.output<typeof PubsubChannelDraft>
export const PubsubChannelChange = z
  .object({
    ...pubsubFields(changed),
    topic: maybe(Topic, `New topic, which is verified; ${unchanged}. ${moved('project')}`),
  })
  .partial()
  .meta({ id: 'PubsubChannelChange', description: 'Changes to a Pub/Sub channel' })
export type PubsubChannelChange = z.output<typeof PubsubChannelChange>

// Amazon SNS.
const SnsTopic = line(512)
  .regex(/^arn:aws(?:-[a-z-]+)?:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}(?:\.fifo)?$/, {
    error: 'must be the ARN of a topic, such as arn:aws:sns:eu-west-1:123456789012:my-topic',
  })
  .meta({ description: 'ARN of the topic. A FIFO topic keeps the order of each grant; a standard topic may not' })
const RoleArn = line(2048)
  .regex(/^arn:aws(?:-[a-z-]+)?:iam::\d{12}:role\/[\w+=,.@/-]+$/, {
    error: 'must be the ARN of a role, such as arn:aws:iam::123456789012:role/publisher',
  })
  .nullish()
const roleWords =
  'Role that is assumed to publish, with the id of the application as external id. Without it, the access key publishes itself'
const AccessKeyId = line(128).min(1).nullish()
const keyIdWords =
  'Access key that publishes or assumes the role. Encrypted and never returned. Without it, the key of the operator is used (`WAYPOST_SNS_ACCESS_KEY_ID`)'
const SecretAccessKey = secret(256).nullish()

export const SnsChannel = z
  .object({
    ...shown,
    topic: z.string().meta({ description: 'ARN of the topic' }),
    role_arn: z.string().nullable().meta({ description: 'Role that is assumed to publish; null if none' }),
  })
  .meta({ id: 'SnsChannel', description: 'A channel that publishes notifications to an Amazon SNS topic' })
export type SnsChannel = z.output<typeof SnsChannel>
const snsFields = <S extends object>(shared: S) => ({
  topic: SnsTopic,
  role_arn: RoleArn.meta({ description: roleWords }),
  ...shared,
  access_key_id: AccessKeyId.meta({ description: keyIdWords }),
  secret_access_key: SecretAccessKey.meta({ description: 'Secret of the access key. Encrypted and never returned' }),
})
export const SnsChannelDraft = z
  .object(snsFields(drafted))
  .meta({ id: 'SnsChannelDraft', description: 'A new SNS channel' })
export type SnsChannelDraft = z.output<typeof SnsChannelDraft>
export const SnsChannelChange = z
  .object({
    ...snsFields(changed),
    topic: maybe(SnsTopic, `New topic, which is verified; ${unchanged}. ${moved('region or account')}`),
    role_arn: RoleArn.meta({ description: `${roleWords}; ${unchanged}, null removes it` }),
    access_key_id: AccessKeyId.meta({ description: `${keyIdWords}; ${unchanged}, null removes the key` }),
    secret_access_key: SecretAccessKey.meta({ description: `Secret of the access key; ${unchanged}` }),
  })
  .partial()
  .meta({ id: 'SnsChannelChange', description: 'Changes to an SNS channel' })
export type SnsChannelChange = z.output<typeof SnsChannelChange>

// NATS JetStream.
const NatsServers = z
  .array(
    line(512).regex(/^(?:nats|tls):\/\/[^\s/@]+$/, {
      error: 'must be addresses such as nats://nats.example.com:4222 or tls://nats.example.com, without a user',
    }),
  )
  .min(1)
  .max(10)
const natsServersWords =
  'Addresses of servers of one cluster, up to 10: `nats://host:port`, or `tls://host:port` for TLS from the start; default port 4222. They are tried in this order'
const Subject = line(512).regex(/^[^\s.*>]+(?:\.[^\s.*>]+)*$/, {
  error: 'must be a subject without wildcards and spaces, such as waypost.notifications',
})
const Stream = line(256)
  .regex(/^[^\s.*>/\\]+$/, { error: 'must be the name of a stream, without dots, wildcards and spaces' })
  .nullish()
const streamWords = 'Stream that must store the messages. Without it, any stream that has the subject'

export const NatsChannel = z
  .object({
    ...shown,
    servers: z.array(z.string()).meta({ description: 'Addresses of the servers' }),
    subject: z.string().meta({ description: 'Subject of the messages' }),
    stream: z.string().nullable().meta({ description: 'Stream that must store the messages; null: any' }),
  })
  .meta({ id: 'NatsChannel', description: 'A channel that publishes notifications to a NATS JetStream stream' })
export type NatsChannel = z.output<typeof NatsChannel>
const natsFields = <S extends object>(shared: S) => ({
  servers: NatsServers.meta({ description: natsServersWords }),
  subject: Subject.meta({ description: `Subject of the messages, which a stream must have; ${typeWords}` }),
  stream: Stream.meta({ description: streamWords }),
  ...shared,
  token: secret(1024).nullish().meta({ description: 'Token of the server. Encrypted and never returned' }),
  username: line(256).min(1).nullish().meta({ description: 'User name. Encrypted and never returned' }),
  password: secret(1024).nullish().meta({ description: 'Password of that user. Encrypted and never returned' }),
  credentials: secret(16_384).nullish().meta({
    description: 'Content of a .creds file, with a JWT and a seed. Encrypted and never returned',
  }),
})
export const NatsChannelDraft = z
  .object(natsFields(drafted))
  .meta({ id: 'NatsChannelDraft', description: 'A new NATS channel' })
export type NatsChannelDraft = z.output<typeof NatsChannelDraft>
export const NatsChannelChange = z
  .object({
    ...natsFields(changed),
    servers: maybe(NatsServers, `New addresses; ${unchanged}. ${moved('server')}`),
    subject: maybe(Subject, `New subject; ${unchanged}`),
    stream: Stream.meta({ description: `${streamWords}; ${unchanged}, null: any` }),
  })
  .partial()
  .meta({
    id: 'NatsChannelChange',
    description: 'Changes to a NATS channel. If one of its credentials is given, all of them are replaced',
  })
export type NatsChannelChange = z.output<typeof NatsChannelChange>

// AMQP 0-9-1.
const AmqpUrl = line(1024).regex(/^amqps?:\/\/[^\s/?#]+(?:\/[^\s/?#]*)?$/, {
  error: 'must be an address such as amqps://rabbit.example.com/my-vhost, without a query',
})
const amqpUrlWords =
  'Address of the broker: `amqps://host:port/vhost`, or `amqp://` without TLS. A user and password in it are moved to `username` and `password`, and are never returned'
const Exchange = line(255)
const exchangeWords =
  'Name of an exchange that exists; empty for the default exchange, which routes to the queue of the routing key'
const RoutingKey = line(255)

export const AmqpChannel = z
  .object({
    ...shown,
    url: z.string().meta({ description: 'Address of the broker, without user and password' }),
    exchange: z.string().meta({ description: 'Name of the exchange; empty: the default exchange' }),
    routing_key: z.string().meta({ description: 'Routing key of the messages' }),
  })
  .meta({
    id: 'AmqpChannel',
    description: 'A channel that publishes notifications to an AMQP 0-9-1 exchange (RabbitMQ)',
  })
export type AmqpChannel = z.output<typeof AmqpChannel>
const amqpFields = <S extends object>(shared: S) => ({
  url: AmqpUrl.meta({ description: amqpUrlWords }),
  exchange: Exchange.meta({ description: exchangeWords }),
  routing_key: RoutingKey.meta({
    description: `Routing key of the messages; a queue must be bound to it; ${typeWords}`,
  }),
  ...shared,
  username: line(256).min(1).nullish().meta({ description: 'User name. Encrypted and never returned' }),
  password: secret(1024).nullish().meta({ description: 'Password of that user. Encrypted and never returned' }),
})
export const AmqpChannelDraft = z
  .object(amqpFields(drafted))
  .meta({ id: 'AmqpChannelDraft', description: 'A new AMQP channel' })
export type AmqpChannelDraft = z.output<typeof AmqpChannelDraft>
export const AmqpChannelChange = z
  .object({
    ...amqpFields(changed),
    url: maybe(AmqpUrl, `New address; ${unchanged}. ${moved('server')}`),
    exchange: maybe(Exchange, `New exchange; ${unchanged}`),
    routing_key: maybe(RoutingKey, `New routing key; ${unchanged}`),
  })
  .partial()
  .meta({
    id: 'AmqpChannelChange',
    description: 'Changes to an AMQP channel. If one of its credentials is given, both are replaced',
  })
export type AmqpChannelChange = z.output<typeof AmqpChannelChange>

interface ChannelForms<P extends string, C extends z.ZodType, D extends z.ZodObject, U extends z.ZodObject> {
  transport: P
  /** The channel with its article, such as "a Pub/Sub channel". */
  one: string
  /** How the destination is verified. */
  verified: string
  channel: C
  draft: D
  change: U
}

function channelRoutes<const P extends string, C extends z.ZodType, D extends z.ZodObject, U extends z.ZodObject>({
  transport,
  one,
  verified,
  channel,
  draft,
  change,
}: ChannelForms<P, C, D, U>) {
  const at = `/v3/channels/${transport}` as const
  const name = one.replace(/^an? /, '')
  return {
    list: route({
      right: 'webhooks',
      method: 'GET',
      path: at,
      summary: `List the ${name}s of the application`,
      description: `Returns all of them, up to ${limits.channels} per application. Credentials are never returned.`,
      audience: 'application',
      query: z.object(selectParam),
      returns: channel,
      list: 'whole',
    }),
    create: route({
      right: 'webhooks',
      method: 'POST',
      path: at,
      summary: `Create ${one}`,
      description: `${verified} Notifications of one grant are published in the order of \`grant_sequence\`. An application has up to ${limits.channels}.`,
      audience: 'application',
      query: z.object(selectParam),
      body: draft,
      returns: channel,
      errors: ['webhook_unanswered', 'conflict'],
    }),
    get: route({
      right: 'webhooks',
      method: 'GET',
      path: `${at}/:channel_id`,
      summary: `Get one ${name}`,
      description: 'Includes its status; credentials are never returned.',
      audience: 'application',
      query: z.object(selectParam),
      returns: channel,
      errors: ['not_found'],
    }),
    update: route({
      right: 'webhooks',
      method: 'PUT',
      path: `${at}/:channel_id`,
      summary: `Change, pause or activate ${one}`,
      description: `Absent fields stay unchanged; null clears \`description\` and \`notification_email_addresses\`. When \`status\` is set to \`active\`, or the place or the credentials change: ${verified} New triggers take effect immediately.`,
      audience: 'application',
      query: z.object(selectParam),
      body: change,
      returns: channel,
      errors: ['webhook_unanswered', 'not_found', 'conflict'],
    }),
    delete: route({
      right: 'webhooks',
      method: 'DELETE',
      path: `${at}/:channel_id`,
      summary: `Delete ${one}`,
      description: 'Waiting notifications are not sent, and its delivery log is deleted.',
      audience: 'application',
      returns: z.object({
        status: z.literal('success').meta({ description: 'Always `success`: the channel was deleted' }),
      }),
      errors: ['not_found'],
    }),
  }
}

export const pubsubChannels = channelRoutes({
  transport: 'pubsub',
  one: 'a Pub/Sub channel',
  verified: 'Google is asked first whether the service account may publish to the topic.',
  channel: PubsubChannel,
  draft: PubsubChannelDraft,
  change: PubsubChannelChange,
})
export const snsChannels = channelRoutes({
  transport: 'sns',
  one: 'an SNS channel',
  verified: 'AWS is asked first whether the credentials can be used and the topic exists.',
  channel: SnsChannel,
  draft: SnsChannelDraft,
  change: SnsChannelChange,
})
export const natsChannels = channelRoutes({
  transport: 'nats',
  one: 'a NATS channel',
  verified: 'A server is asked first whether a stream has the subject.',
  channel: NatsChannel,
  draft: NatsChannelDraft,
  change: NatsChannelChange,
})
export const amqpChannels = channelRoutes({
  transport: 'amqp',
  one: 'an AMQP channel',
  verified: 'The broker is asked first whether the exchange exists.',
  channel: AmqpChannel,
  draft: AmqpChannelDraft,
  change: AmqpChannelChange,
})
