/**
 * Which provider stands behind an address: by the domain first, then by where its mail goes. The facts are those of
 * `mail/vendors.ts`; the look-up of MX records is given.
 */
import { endsWithName, vendorOf, vendorOfDomain, vendors } from './mail/vendors.ts'

export interface Detected {
  provider: string
  /** The vendor, where the provider is plain IMAP. */
  type?: string
}

function detected(vendor: string): Detected {
  const { provider } = vendorOf(vendor) ?? {}
  return provider === undefined ? { provider: 'imap', type: vendor } : { provider }
}

/** Detects by the domain alone. */
export function detectByDomain(domain: string): Detected | undefined {
  const vendor = vendorOfDomain(domain)
  return vendor === undefined ? undefined : detected(vendor)
}

/** Detects by the hosts that take the domain's mail, the best one first. A domain that takes mail at all speaks IMAP, most likely. */
export function detectByExchanges(exchanges: readonly string[]): Detected | undefined {
  for (const exchange of exchanges) {
    const host = exchange.toLowerCase().replace(/\.$/, '')
    const [found] = Object.entries(vendors).find(([, { exchanges: names }]) => endsWithName(host, names)) ?? []
    if (found !== undefined) return detected(found)
  }
  return exchanges.length > 0 ? { provider: 'imap' } : undefined
}
