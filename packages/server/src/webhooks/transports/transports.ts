/** The table of transports. */
import { amqp } from './amqp/amqp.ts'
import type { ChannelCredentials, ChannelSettings, ChannelTransport } from './channel-settings.ts'
import { nats } from './nats/nats.ts'
import { pubsub } from './pubsub/pubsub.ts'
import type { Secrets } from './sign.ts'
import { sns } from './sns/sns.ts'
import type { TransportKind } from './transport.ts'
import { type WebhookSettings, webhook } from './webhook.ts'

export type TransportName = 'webhook' | ChannelTransport

export type ChannelKinds = {
  readonly [T in ChannelTransport]?: TransportKind<ChannelSettings[T], ChannelCredentials[T]>
}

export interface Transports {
  /** Receivers are verified with a challenge (`delivery/challenge.ts`). */
  readonly webhook: Omit<TransportKind<WebhookSettings, Secrets>, 'verify'>
  readonly channels: ChannelKinds
}

export const transports: Transports = { webhook, channels: { pubsub, sns, nats, amqp } }

export const isChannelTransport = (name: string): name is ChannelTransport => Object.hasOwn(transports.channels, name)

/** Whether this version knows a transport. A later version may have stored others. */
export const isTransport = (name: string): name is TransportName => name === 'webhook' || isChannelTransport(name)
