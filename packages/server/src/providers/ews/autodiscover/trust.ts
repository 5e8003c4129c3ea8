/**
 * Where an account's password may go while its server is looked for. Whoever answers in the place of the domain could
 * otherwise have it sent to themselves: plain http and DNS say nothing that nobody else could have said.
 *
 * - The domain of the address and `autodiscover.` before it are asked, and no domain above.
 * - What a server says that was reached over TLS, with a certificate that is valid for its name, may name any other.
 * - What is heard over plain http or from DNS may name hosts of the address's own domain alone, and no path: the
 *   certificate then shows that the host is the domain's, and a path could be a page that somebody else writes there.
 *
 * Everything else is not asked. A host that was named so is told to the user, who may give it as `ews_host`.
 */
import { hostName, isWithin, judgeHeardHost } from '../../shared/domain-hosts.ts'

export const discoveryPaths = { pox: '/autodiscover/autodiscover.xml', soap: '/autodiscover/autodiscover.svc' } as const

/** The services of Microsoft 365, in its clouds. */
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

/** An address to go on with, or why it is not gone on with. */
export type Verdict = { url: string } | { refused: 'malformed' } | { refused: 'foreign' | 'cloud'; host: string }

/** Whether a password may go to an address that a server named over TLS. */
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

/** Whether it may go to a host that plain http or DNS named. */
export function judgeHeard(heard: { host: string; port: number }, domain: string): Verdict {
  const host = hostName(heard.host)
  if (host !== undefined && isCloud(host)) return { refused: 'cloud', host }
  const verdict = judgeHeardHost(heard, [domain])
  return 'origin' in verdict ? { url: `${verdict.origin}${discoveryPaths.pox}` } : verdict
}

/** The same of the Location of a redirect over plain http: its host counts, and nothing else of it. */
export function judgeHeardUrl(text: string, base: string, domain: string): Verdict {
  const named = judgeNamed(text, base)
  if (!('url' in named)) return named
  const { hostname, port } = new URL(named.url)
  return judgeHeard({ host: hostname, port: port === '' ? 443 : Number(port) }, domain)
}
