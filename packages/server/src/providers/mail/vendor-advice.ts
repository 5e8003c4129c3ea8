/** What users are told about the service behind their address, before they type a password. */
import { detectByDomain, detectByExchanges } from '../detection.ts'
import type { FormAdvice, FormFacts, FormInstead } from '../form.ts'
import { type Vendor, vendorOf } from './vendors.ts'

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** The vendor behind an address, as far as it is known. */
export function vendorFor({ email, vendor, exchanges }: FormFacts): Vendor | undefined {
  const found = detectByDomain(domainOf(email)) ?? vendor ?? detectByExchanges(exchanges)
  return vendorOf(typeof found === 'string' ? found : (found?.type ?? found?.provider))
}

export function adviceFor(vendor: Vendor | undefined): FormAdvice | undefined {
  const { title, password, imapGuide } = vendor ?? {}
  if (title === undefined) return undefined
  if (password) {
    const { name, url, twoStep = false } = password
    return { kind: 'password', vendor: title, name, url, twoStep }
  }
  return imapGuide === undefined ? undefined : { kind: 'mail_programs', vendor: title, url: imapGuide }
}

/** Whether the sign-in page of a provider of its own is the way to an account. */
export function insteadFor(facts: FormFacts): FormInstead | undefined {
  const { title, provider, noPasswords, password } = vendorFor(facts) ?? {}
  if (title === undefined || provider === undefined) return undefined
  if (password) return { provider, vendor: title, passwords: 'app' }
  if (!noPasswords) return undefined
  // A host that takes the mail of a domain may only filter it; an address of the service's own, or its name, is certain.
  const certain = detectByDomain(domainOf(facts.email)) !== undefined || facts.vendor !== undefined
  return { provider, vendor: title, passwords: certain ? 'none' : 'perhaps' }
}
