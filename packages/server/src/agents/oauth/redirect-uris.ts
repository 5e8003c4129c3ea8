/** Redirect URIs of OAuth clients. Pure. */

/** Schemes that browsers or systems treat in their own way. Any other scheme belongs to an app (RFC 8252 §7.1). */
const ownSchemes = new Set([
  ...['about:', 'blob:', 'data:', 'file:', 'filesystem:', 'ftp:', 'http:', 'javascript:', 'mailto:', 'sms:', 'tel:'],
  ...['vbscript:', 'view-source:', 'ws:', 'wss:', 'chrome:', 'intent:', 'ms-settings:', 'search-ms:', 'ms-msdt:'],
])

const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])

const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && loopback.has(hostname)

/** Why a text is no redirect URI that a client may have; undefined if it is one. */
export function redirectUriProblem(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || text.length > 1000 || /[\s\p{C}]/u.test(text)) return 'must be an absolute URI of up to 1,000 characters'
  if (url.hash !== '' || text.includes('#')) return 'must have no fragment'
  if (url.username !== '' || url.password !== '') return 'must have no user name or password'
  if (url.protocol === 'https:' || isLoopback(url)) return undefined
  if (url.protocol === 'http:') return 'must use https, unless it leads to this machine (127.0.0.1, [::1] or localhost)'
  return ownSchemes.has(url.protocol) ? `must not have the scheme "${url.protocol}"` : undefined
}

/** Native apps listen at a port that they get when they start (RFC 8252 §7.3). */
const withoutPort = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (!url || !isLoopback(url) || redirectUriProblem(text) !== undefined) return undefined
  return `${url.hostname}${url.pathname}${url.search}`
}

/** Whether a client has a redirect URI: exactly, or on this machine at another port. */
export const hasRedirectUri = (registered: readonly string[], given: string): boolean =>
  registered.includes(given) ||
  (withoutPort(given) !== undefined && registered.some((each) => withoutPort(each) === withoutPort(given)))

/** What the consent page shows of a redirect URI. */
export function redirectPlace(text: string): { kind: 'device' | 'app' | 'site'; name: string } {
  const url = new URL(text)
  if (isLoopback(url)) return { kind: 'device', name: url.host }
  return url.protocol === 'https:' ? { kind: 'site', name: url.host } : { kind: 'app', name: url.protocol }
}
