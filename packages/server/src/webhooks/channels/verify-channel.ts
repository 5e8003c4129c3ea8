/** Asks a broker whether a channel can publish, before it is created or activated. Outside any transaction. */
import { ApiError } from '@waypost/platform/api-error'
import { EgressError } from '@waypost/platform/egress/egress'
import type { ChannelCredentials, ChannelSettings, ChannelTransport } from '../transports/channel-settings.ts'
import { TransportRefusal, type VerifyingTools } from '../transports/transport.ts'
import { transports } from '../transports/transports.ts'
import { channelForms } from './forms.ts'

export interface VerifyTools extends VerifyingTools {
  /**
   * Receives the details of a failure if the caller must not see them: with private addresses allowed, callers who are
   * not the operator must not learn which internal hosts respond.
   */
  aside?: ((details: Record<string, unknown>) => void) | undefined
}

const hidden = 'the broker did not respond as required; see the log of the service for details'

export async function verifyChannel<T extends ChannelTransport>(
  transport: T,
  { settings, credentials }: { settings: ChannelSettings[T]; credentials: ChannelCredentials[T] },
  tools: VerifyTools,
): Promise<void> {
  const kind = transports.channels[transport]
  if (!kind) throw new ApiError('not_found', `this service has no ${transport} channels`)
  const started = tools.clock.now()
  try {
    await kind.verify(settings, credentials, tools)
  } catch (cause) {
    if (cause instanceof TransportRefusal) throw unverified(cause.field, cause.message, { tools, cause })
    if (!(cause instanceof EgressError)) throw cause
    const reported = `no response after ${tools.clock.now() - started} ms: ${cause.message}`
    throw unverified(channelForms[transport].placeField, reported, { tools, cause })
  }
}

function unverified(field: string, reported: string, { tools, cause }: { tools: VerifyTools; cause: Error }): ApiError {
  const { aside } = tools
  // A refusal depends only on the text of the address, or has a message that reveals nothing internal.
  const isShown = aside === undefined || (cause instanceof EgressError && cause.reason.startsWith('refused_'))
  if (isShown) return new ApiError('webhook_unanswered', `unable.verify.${field} : ${reported}`, { cause })
  aside({ reported })
  return new ApiError('webhook_unanswered', `unable.verify.${field} : ${hidden}`)
}
