/** Headers of the booking pages: who may contain them, and what they may load. */
import { securityHeaders } from '../page-security.ts'

/** An origin as a configuration lists it; anything else would change the meaning of the header. */
const isOrigin = (text: string): boolean => /^https?:\/\/[a-z0-9.[\]:-]+$/i.test(text)

interface PolicyOptions {
  nonce: string
  embedOrigins: readonly string[]
  /** Address of the logo. */
  logo: string | undefined
  /** Shown in a frame of the dashboard. */
  isPreview: boolean
}

/** The origin of an image with https; undefined for anything else. */
export function imageOrigin(address: string | undefined): string | undefined {
  const url = URL.parse(address ?? '')
  return url?.protocol === 'https:' ? url.origin : undefined
}

function policyOf({ nonce, embedOrigins, logo, isPreview }: PolicyOptions): string[] {
  const origins = embedOrigins.filter(isOrigin)
  const ancestors = isPreview ? "'self'" : origins.length > 0 ? origins.join(' ') : "'none'"
  // A preview shows a logo that is not saved yet.
  const images = isPreview ? 'https:' : (imageOrigin(logo) ?? "'none'")
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src ${images}`,
    "connect-src 'self'",
    `frame-ancestors ${ancestors}`,
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
}

export function bookingHeaders(baseUrl: string, options: PolicyOptions): Record<string, string> {
  // No referrer: the addresses of booking pages contain references.
  const all = securityHeaders(baseUrl, { policy: policyOf(options), page: '/book' })
  if (!options.isPreview && options.embedOrigins.length === 0) return all
  // Browsers prefer `frame-ancestors`. The older header cannot list origins.
  const { 'x-frame-options': _, ...headers } = all
  // Pages with a strict embedder policy may contain the page as well.
  return { ...headers, 'cross-origin-resource-policy': 'cross-origin' }
}
