/** The credentials that a channel uses: its own, or else those of the operator. */
import type { ChannelCredentials, ChannelTransport } from './channel-settings.ts'
import type { TransportEndpoints } from './transport.ts'

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
