/** Advice for users about the mail service of their address, before they enter a password. */
import { detectByDomain, detectByExchanges } from '../detection.ts'
import type { FormAdvice, FormFacts, FormInstead } from '../form.ts'
import { type Vendor, vendorOf } from './vendors.ts'

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** The vendor of an address, as far as known. */
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

/** Whether accounts of this vendor use the sign-in page of another provider kind. */
export function insteadFor(facts: FormFacts): FormInstead | undefined {
  const { title, provider, noPasswords, password } = vendorFor(facts) ?? {}
  if (title === undefined || provider === undefined) return undefined
  if (password) return { provider, vendor: title, passwords: 'app' }
  if (!noPasswords) return undefined
  // The mail host of a domain may only be a filter. An address in the vendor's own domain is certain.
  const certain = detectByDomain(domainOf(facts.email)) !== undefined || facts.vendor !== undefined
  return { provider, vendor: title, passwords: certain ? 'none' : 'perhaps' }
}
