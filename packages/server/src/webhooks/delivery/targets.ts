/** Prepares destinations for use: opens the transport of each. */
import type { Secrets } from '@waypost/platform/crypto/secrets'
import { EgressError } from '@waypost/platform/egress/egress'
import type { Database } from '@waypost/store/engine/database'
import {
  type DestinationAddress,
  type LeasedDestination,
  leasedDestination,
} from '@waypost/store/tables/notifications/delivery-leases'
import { documentOf, secretContext, signingSecrets } from '../destinations.ts'
import { type ChannelTransport, credentialsFor, type DefaultCredentials } from '../transports/channel-settings.ts'
import type { Transport, TransportTools } from '../transports/transport.ts'
import { isChannelTransport, isTransport, transports } from '../transports/transports.ts'
import type { Target } from './attempt.ts'

export interface TargetsTools extends Omit<TransportTools, 'applicationId'> {
  secrets: Secrets
  /** Credentials of the operator, for channels without their own. */
  defaults?: DefaultCredentials | undefined
}

export type Targets = ReturnType<typeof createTargets>

/**
 * Creates a target for a destination. The previous target closes its connections, or passes them on if they still fit.
 */
export function createTargets(tools: TargetsTools) {
  const { clock } = tools
  return (row: LeasedDestination, former?: Target): Target => {
    const document = documentOf(row)
    const { sealed_previous_secret: old, previous_secret_until: until } = row
    const now = clock.now()
    const twice = old !== null && until !== null && until > now
    return {
      row,
      transport: isChannelTransport(row.transport)
        ? transportOfChannel(tools, row.transport, row, former)
        : transportOfWebhook(tools, { row, now }, former),
      signsTwiceUntil: twice ? until : Number.POSITIVE_INFINITY,
      compressed: document.compressed_delivery,
      emails: document.notification_email_addresses,
    }
  }
}

const toolsFor = (tools: TargetsTools, row: LeasedDestination): TransportTools => ({
  ...tools,
  applicationId: row.application_id,
})

function transportOfWebhook(
  tools: TargetsTools,
  { row, now }: { row: LeasedDestination; now: number },
  former: Target | undefined,
): Transport {
  const { webhook } = transports
  const signing = signingSecrets(row, now, tools.secrets)
  const settings = { url: row.webhook_url }
  const retained = former && webhook.reopen?.(former.transport, settings, signing, toolsFor(tools, row))
  if (former && !retained) former.transport[Symbol.dispose]()
  return retained ?? webhook.open(settings, signing, toolsFor(tools, row))
}

/** A channel whose settings and credentials are the same keeps its transport. */
function transportOfChannel<T extends ChannelTransport>(
  tools: TargetsTools,
  transport: T,
  row: LeasedDestination,
  former: Target | undefined,
): Transport {
  const isSame = former?.row.settings === row.settings && former?.row.sealed_secret === row.sealed_secret
  if (former && isSame) return former.transport
  former?.transport[Symbol.dispose]()
  const own = JSON.parse(tools.secrets.open(row.sealed_secret, secretContext(row, 'sealed_secret')))
  const credentials = credentialsFor(transport, own, tools.defaults ?? {})
  const kind = transports.channels[transport]
  if (!credentials || !kind) return without(transport)
  return kind.open(JSON.parse(row.settings ?? '{}'), credentials, toolsFor(tools, row))
}

/** The operator removed the credentials that the channel used. */
const without = (transport: string): Transport => ({
  send: () =>
    Promise.reject(
      new EgressError('refused_url', `There are no credentials for ${transport}; set those of the channel`),
    ),
  [Symbol.dispose]: () => undefined,
})

/** The destination's current row. Undefined if nothing is to be delivered to it. */
export async function servedDestination(
  database: Database,
  at: DestinationAddress,
): Promise<LeasedDestination | undefined> {
  const row = await leasedDestination(database, at)
  if (!row || !isTransport(row.transport)) return undefined
  return row.status === 'active' || row.status === 'failing' ? row : undefined
}
