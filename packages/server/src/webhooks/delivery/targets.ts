/** Prepares destinations for use: their connections and their signers. */
import type { Clock } from '../../lib/clock.ts'
import type { Secrets } from '../../lib/crypto/secrets.ts'
import type { Destination, Egress } from '../../lib/egress/egress.ts'
import type { LeasedDestination } from '../../store/tables/notifications/delivery-leases.ts'
import { documentOf, secretContext } from '../destinations.ts'
import type { Target } from './attempt.ts'
import { createSigner } from './sign.ts'

export interface TargetsTools {
  clock: Clock
  egress: Egress
  secrets: Secrets
  signatureHeader: string
}

export type Targets = ReturnType<typeof createTargets>

/**
 * Creates a target for a destination. The previous target closes its connections, or passes them on if the URL is the
 * same.
 */
export function createTargets({ clock, egress, secrets, signatureHeader }: TargetsTools) {
  /** A URL that is no longer allowed fails like one that does not respond. */
  function wayTo(url: string): Destination {
    try {
      return egress.destination(url)
    } catch (error) {
      return { post: () => Promise.reject(error), [Symbol.dispose]: () => undefined }
    }
  }

  return (row: LeasedDestination, former?: Target): Target => {
    const document = documentOf(row)
    const { sealed_previous_secret: old, previous_secret_until: until } = row
    const twice = old !== null && until !== null && until > clock.now()
    const previous = twice ? secrets.open(old, secretContext(row, 'sealed_previous_secret')) : undefined
    const current = secrets.open(row.sealed_secret, secretContext(row, 'sealed_secret'))
    const sameWay = former?.row.webhook_url === row.webhook_url
    if (former && !sameWay) former.way[Symbol.dispose]()
    return {
      row,
      way: former && sameWay ? former.way : wayTo(row.webhook_url),
      signer: createSigner({ current, previous }, signatureHeader),
      signsTwiceUntil: twice ? until : Number.POSITIVE_INFINITY,
      compressed: document.compressed_delivery,
      emails: document.notification_email_addresses,
    }
  }
}
