/**
 * Where an account's password may be sent during discovery. Plain HTTP and DNS can be forged, so an attacker could
 * otherwise have it sent to another host.
 *
 * - The domain of the address and `autodiscover.` before it are asked, and no parent domain.
 * - A server that was reached over TLS with a valid certificate may name any other host.
 * - Plain HTTP and DNS may name only hosts within the domain of the address, and no path: the certificate then proves
 * that
 *   the host belongs to the domain, while a path could be a page of another author.
 *
 * All other hosts are not asked. The user is shown the name of such a host and may give it as `ews_host`.
 */
import { hostName, isWithin, judgeHeardHost } from '../../shared/domain-hosts.ts'

export const discoveryPaths = { pox: '/autodiscover/autodiscover.xml', soap: '/autodiscover/autodiscover.svc' } as const

/** The services of Microsoft 365, in all its clouds. */
const cloud = [
  'office365.com',
  'outlook.com',
  'office.com',
  'onmicrosoft.com',
  'office365.us',
  'onmicrosoft.us',
  'outlook.cn',
  'onmschina.cn',
  'outlook.de',
  'office.de',
  'cloud.microsoft',
]

export const isCloud = (host: string): boolean => cloud.some((domain) => isWithin(host, domain))

/** A URL to continue with, or the reason for refusing it. */
export type Verdict = { url: string } | { refused: 'malformed' } | { refused: 'foreign' | 'cloud'; host: string }

/** Whether a password may be sent to a URL that a server named over TLS. */
export function judgeNamed(text: string, base?: string): Verdict {
  const url = URL.parse(text, base)
  const host = url && hostName(url.hostname)
  if (!url || !host || url.protocol !== 'https:' || url.username !== '' || url.password !== '') {
    return { refused: 'malformed' }
  }
  if (isCloud(host)) return { refused: 'cloud', host }
  url.hash = ''
  return { url: url.href }
}

/** Whether a password may be sent to a host that plain HTTP or DNS named. */
export function judgeHeard(heard: { host: string; port: number }, domain: string): Verdict {
  const host = hostName(heard.host)
  if (host !== undefined && isCloud(host)) return { refused: 'cloud', host }
  const verdict = judgeHeardHost(heard, [domain])
  return 'origin' in verdict ? { url: `${verdict.origin}${discoveryPaths.pox}` } : verdict
}

/** The same for the Location of a redirect over plain HTTP: only its host counts. */
export function judgeHeardUrl(text: string, base: string, domain: string): Verdict {
  const named = judgeNamed(text, base)
  if (!('url' in named)) return named
  const { hostname, port } = new URL(named.url)
  return judgeHeard({ host: hostname, port: port === '' ? 443 : Number(port) }, domain)
}
