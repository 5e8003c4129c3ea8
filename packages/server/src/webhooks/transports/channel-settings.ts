/** The settings and the credentials of channels, by transport. Settings are shown to clients; credentials never are. */
import type { TransportEndpoints } from './transport.ts'

export interface ChannelSettings {
  pubsub: { topic: string }
  sns: { topic: string; role_arn: string | null }
  nats: { servers: string[]; subject: string; stream: string | null }
  /** `url` has no user information. */
  amqp: { url: string; exchange: string; routing_key: string }
}

/** Those of the channel, or else those of the operator. */
export interface ChannelCredentials {
  /** The text of a service account key. */
  pubsub: { credentials: string }
  /** With `role_arn` in the settings, the keys of whoever assumes the role. */
  sns: { access_key_id: string; secret_access_key: string }
  /** `credentials` is the text of a .creds file. Empty for servers without authentication. */
  nats: { token?: string; username?: string; password?: string; credentials?: string }
  amqp: { username?: string; password?: string }
}

export type ChannelTransport = keyof ChannelSettings

/** Credentials of the operator, for channels without their own. */
export type DefaultCredentials = { readonly [T in ChannelTransport]?: ChannelCredentials[T] | undefined }

/** What the operator set for channels. */
export interface ChannelOptions {
  endpoints: TransportEndpoints
  credentials: DefaultCredentials
}

/** Brokers that may need none. */
const anonymous: DefaultCredentials = { nats: {}, amqp: {} }

/** Undefined if the transport needs some and there are none at all. */
export function credentialsFor<T extends ChannelTransport>(
  transport: T,
  own: ChannelCredentials[T] | null,
  defaults: DefaultCredentials,
): ChannelCredentials[T] | undefined {
  return own ?? defaults[transport] ?? anonymous[transport]
}
