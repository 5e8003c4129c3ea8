/** Asks a broker whether a channel can publish, before it is created or activated. Outside any transaction. */

import { ApiError } from '@waypost/platform/api-error'
import { EgressError } from '@waypost/platform/egress/egress'
import type { ChannelCredentials, ChannelSettings, ChannelTransport } from '../transports/channel-settings.ts'
import { type Aside, TransportRefusal, unverified, type VerifyingTools } from '../transports/transport.ts'
import { transports } from '../transports/transports.ts'
import { channelForms } from './forms.ts'

export interface VerifyTools extends VerifyingTools {
  aside?: Aside
}

export async function verifyChannel<T extends ChannelTransport>(
  transport: T,
  { settings, credentials }: { settings: ChannelSettings[T]; credentials: ChannelCredentials[T] },
  tools: VerifyTools,
): Promise<void> {
  const kind = transports.channels[transport]
  if (!kind) throw new ApiError('not_found', `this service has no ${transport} channels`)
  const started = tools.clock.now()
  const refused = (field: string, reported: string, cause: Error): ApiError =>
    unverified({ field, peer: 'broker' }, reported, { aside: tools.aside, cause })
  try {
    await kind.verify(settings, credentials, tools)
  } catch (cause) {
    if (cause instanceof TransportRefusal) throw refused(cause.field, cause.message, cause)
    if (!(cause instanceof EgressError)) throw cause
    const reported = `no response after ${tools.clock.now() - started} ms: ${cause.message}`
    throw refused(channelForms[transport].placeField, reported, cause)
  }
}
