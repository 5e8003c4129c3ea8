/**
 * The address of a client, for limits and logs. X-Forwarded-For counts only if a trusted proxy wrote it
 * (`WAYPOST_TRUSTED_PROXIES`): then it is the last address in it that is not a trusted proxy. From other clients the
 * header is ignored.
 */
import { isIP } from 'node:net'
import { withinRanges } from '@waypost/platform/networks'
import type { HttpRequest } from './http.ts'

export function addressFinder(
  proxies: readonly string[],
): (request: Pick<HttpRequest, 'remoteAddress' | 'header'>) => string {
  const isTrusted = withinRanges(proxies)
  return (request) => {
    let address = request.remoteAddress ?? 'local'
    if (!isTrusted(address)) return address
    const hops = request.header('x-forwarded-for')?.split(',').reverse() ?? []
    for (const hop of hops) {
      const next = ipOf(hop)
      if (next === undefined || !isTrusted(address)) break
      address = next
    }
    return address
  }
}

/**
 * The IP address of a hop. Some proxies add the port, which is dropped: otherwise each connection would count as a
 * client.
 */
function ipOf(hop: string): string | undefined {
  const text = hop.trim()
  const [, v6, v4] = /^\[([\da-f:.]+)\](?::\d+)?$|^([\d.]+)(?::\d+)?$/i.exec(text) ?? []
  const address = v6 ?? v4 ?? text
  return isIP(address) === 0 ? undefined : address
}
