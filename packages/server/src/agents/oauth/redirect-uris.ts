/** Redirect URIs of OAuth clients. Pure. */

const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])

const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && loopback.has(hostname)

/** A host as it is written, without the other spellings that the rules for URLs understand. */
const written = /^[a-z][a-z0-9+.-]*:\/\/[^/\\?#@*]+(?:[/?]|$)/i

/**
 * The scheme of an app is a domain name of its maker in reverse order (RFC 8252 §7.1), so it has a dot. Schemes without one
 * belong to browsers and systems (`javascript:`, `data:`, `file:`), or to nobody, so that any other program can claim them.
 */
const appScheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/

/** Why a text is no redirect URI that a client may have; undefined if it is one. */
export function redirectUriProblem(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || text.length > 1000 || /[\s\p{C}]/u.test(text)) return 'must be an absolute URI of up to 1,000 characters'
  if (text.includes('#')) return 'must have no fragment'
  if (url.username !== '' || url.password !== '') return 'must have no user name or password'
  if (text.includes('*')) return 'must have no wildcard: register each address'
  if (appScheme.test(url.protocol)) return undefined
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  if (!isWeb) {
    return `must be https, http to this machine, or the scheme of an app with a dot, such as com.example.app:/callback; not "${url.protocol}"`
  }
  const isOwnSpelling = isLoopback(url) ? /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?:[:/?]|$)/i.test(text) : true
  if (!written.test(text) || !isOwnSpelling) return 'must name its host plainly after //, without @ and \\'
  if (url.protocol === 'https:' || isLoopback(url)) return undefined
  return 'must use https, unless it leads to this machine (127.0.0.1, [::1] or localhost)'
}

/** Native apps listen at a port that they get when they start (RFC 8252 §7.3). */
const withoutPort = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (!url || !isLoopback(url) || redirectUriProblem(text) !== undefined) return undefined
  return `${url.hostname}${url.pathname}${url.search}`
}

/**
 * Whether a client has a redirect URI: exactly, or on this machine at another port. Clients that an earlier version
 * registered may have some that are refused now.
 */
export const hasRedirectUri = (registered: readonly string[], given: string): boolean =>
  redirectUriProblem(given) === undefined && (registered.includes(given) || isOnThisMachine(registered, given))

const isOnThisMachine = (registered: readonly string[], given: string): boolean =>
  withoutPort(given) !== undefined && registered.some((each) => withoutPort(each) === withoutPort(given))

/** What the consent page shows of a redirect URI. */
export function redirectPlace(text: string): { kind: 'device' | 'app' | 'site'; name: string } {
  const url = new URL(text)
  if (isLoopback(url)) return { kind: 'device', name: url.host }
  return url.protocol === 'https:' ? { kind: 'site', name: url.host } : { kind: 'app', name: url.protocol }
}
