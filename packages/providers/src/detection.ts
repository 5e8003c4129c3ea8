/**
 * Detects the provider of an address: by its domain first, then by its MX hosts. The facts are in `mail/vendors.ts`;
 * the caller looks up the MX records.
 */
import { endsWithName, vendorOf, vendorOfDomain, vendors } from './mail/vendors.ts'

export interface Detected {
  provider: string
  /** The vendor, if the provider is plain IMAP. */
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

/** Detects by the MX hosts of the domain, best one first. A domain that receives mail most likely has IMAP. */
export function detectByExchanges(exchanges: readonly string[]): Detected | undefined {
  for (const exchange of exchanges) {
    const host = exchange.toLowerCase().replace(/\.$/, '')
    const [found] = Object.entries(vendors).find(([, { exchanges: names }]) => endsWithName(host, names)) ?? []
    if (found !== undefined) return detected(found)
  }
  return exchanges.length > 0 ? { provider: 'imap' } : undefined
}
