/** Webhooks and channels of an application: what the pages of both need, whatever the transport is. */
import { useQuery } from '@tanstack/react-query'
import type { AmqpChannel, NatsChannel, PubsubChannel, SnsChannel, Webhook } from '@waypost/sdk'
import { api } from './api.ts'

interface DestinationText {
  webhook: Webhook
  pubsub: PubsubChannel
  sns: SnsChannel
  nats: NatsChannel
  amqp: AmqpChannel
}
export type Transport = keyof DestinationText
export type ChannelTransport = Exclude<Transport, 'webhook'>
/** A destination with its transport. */
export type Destination = { [T in Transport]: DestinationText[T] & { transport: T } }[Transport]
export type Channel = Extract<Destination, { transport: ChannelTransport }>

export const transportNames: Readonly<Record<Transport, string>> = {
  webhook: 'Webhook',
  pubsub: 'Google Pub/Sub',
  sns: 'Amazon SNS',
  nats: 'NATS JetStream',
  amqp: 'AMQP (RabbitMQ)',
}
export const transports = Object.entries(transportNames) as [Transport, string][]

export const isChannel = (destination: Destination): destination is Channel => destination.transport !== 'webhook'

/** Where a destination is, in one line: as the overview and mails of the service name it. */
export function placeOf(destination: Destination): string {
  switch (destination.transport) {
    case 'webhook':
      return destination.webhook_url
    case 'pubsub':
    case 'sns':
      return destination.topic
    case 'nats':
      return `${destination.servers[0] ?? ''}/${destination.subject}`
    case 'amqp':
      return `${destination.url} ${destination.exchange}/${destination.routing_key}`
  }
}

/** The routes of channels with one transport. */
export function channelsOf(application: string, transport: ChannelTransport) {
  const { pubsubChannels: pubsub, snsChannels: sns, natsChannels: nats, amqpChannels: amqp } = api(application)
  return { pubsub, sns, nats, amqp }[transport]
}

async function readDestinations(application: string, signal: AbortSignal): Promise<Destination[]> {
  const { webhooks, pubsubChannels, snsChannels, natsChannels, amqpChannels } = api(application)
  const [hooks, pubsub, sns, nats, amqp] = await Promise.all([
    webhooks.list({ signal }),
    pubsubChannels.list({ signal }),
    snsChannels.list({ signal }),
    natsChannels.list({ signal }),
    amqpChannels.list({ signal }),
  ])
  return [
    ...hooks.data.map((each) => ({ ...each, transport: 'webhook' as const })),
    ...pubsub.data.map((each) => ({ ...each, transport: 'pubsub' as const })),
    ...sns.data.map((each) => ({ ...each, transport: 'sns' as const })),
    ...nats.data.map((each) => ({ ...each, transport: 'nats' as const })),
    ...amqp.data.map((each) => ({ ...each, transport: 'amqp' as const })),
  ]
}

/** All destinations of an application. There are few: each transport has a low limit. */
export const useDestinations = (application: string | undefined, options: { refetchInterval?: number } = {}) =>
  useQuery({
    queryKey: ['webhooks', application],
    queryFn: ({ signal }) => readDestinations(application ?? '', signal),
    enabled: application !== undefined,
    ...options,
  })

/** Pauses or activates a destination. The service verifies the receiver or the broker before it activates one. */
export const setStatus = (
  application: string,
  { id, transport }: Pick<Destination, 'id' | 'transport'>,
  status: 'active' | 'pause',
): Promise<unknown> =>
  transport === 'webhook'
    ? api(application).webhooks.update({ id, body: { status } })
    : channelsOf(application, transport).update({ channel_id: id, body: { status } })

export const deleteDestination = (
  application: string,
  { id, transport }: Pick<Destination, 'id' | 'transport'>,
): Promise<unknown> =>
  transport === 'webhook'
    ? api(application).webhooks.delete({ id })
    : channelsOf(application, transport).delete({ channel_id: id })
