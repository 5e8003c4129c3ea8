/** Sends the form of a channel. */
import type { Trigger } from '@waypost/sdk'
import { api } from '../../../api.ts'
import type { Values } from '../../../components/form.tsx'
import type { ChannelTransport } from '../../../destinations.ts'
import { secretsIn } from './credentials.ts'

/** The fields that all destinations have. */
export interface CommonFields {
  description: string | null
  trigger_types: Trigger[]
  notification_email_addresses: string[] | null
  compressed_delivery: boolean
}

/** Creates a channel, or changes the one with the id. Resolves with its id. */
export async function saveChannel(
  application: string,
  { transport, id }: { transport: ChannelTransport; id: string | undefined },
  values: Values,
  common: CommonFields,
): Promise<string> {
  const client = api(application)
  const shared = { ...common, ...secretsIn(transport, values) }
  const text = (name: string): string => values.text(name) ?? ''
  switch (transport) {
    case 'pubsub': {
      const { create, update } = client.pubsubChannels
      const body = { ...shared, topic: text('topic') }
      return (await (id === undefined ? create({ body }) : update({ channel_id: id, body }))).data.id
    }
    case 'sns': {
      const { create, update } = client.snsChannels
      const body = { ...shared, topic: text('topic'), role_arn: values.text('role_arn') ?? null }
      return (await (id === undefined ? create({ body }) : update({ channel_id: id, body }))).data.id
    }
    case 'nats': {
      const { create, update } = client.natsChannels
      const place = {
        servers: values.lines('servers'),
        subject: text('subject'),
        stream: values.text('stream') ?? null,
      }
      const body = { ...shared, ...place }
      return (await (id === undefined ? create({ body }) : update({ channel_id: id, body }))).data.id
    }
    case 'amqp': {
      const { create, update } = client.amqpChannels
      const place = { url: text('url'), exchange: text('exchange'), routing_key: text('routing_key') }
      const body = { ...shared, ...place }
      return (await (id === undefined ? create({ body }) : update({ channel_id: id, body }))).data.id
    }
  }
}
