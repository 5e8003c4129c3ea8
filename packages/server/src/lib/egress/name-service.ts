/** Questions to the name service about a domain's mail, calendars and contacts. */
import { Resolver } from 'node:dns/promises'

/** The hosts that take a domain's mail, the best first; none when it cannot be known. */
export async function findExchanges(domain: string, signal: AbortSignal): Promise<string[]> {
  const records = (await askDns((dns) => dns.resolveMx(domain), signal)) ?? []
  return records.toSorted((a, b) => a.priority - b.priority).map((record) => record.exchange)
}

/** Where a service of a domain is, by its SRV records. */
export async function findService(
  name: string,
  signal: AbortSignal,
): Promise<{ host: string; port: number } | undefined> {
  const records = (await askDns((dns) => dns.resolveSrv(name), signal)) ?? []
  const [best] = records.toSorted((a, b) => a.priority - b.priority || b.weight - a.weight)
  // A name that is a dot says that there is no such service (RFC 2782).
  return best && best.name !== '' && best.name !== '.' ? { host: best.name.toLowerCase(), port: best.port } : undefined
}

/** The path that a domain names for a service beside its SRV record (`path=` of its TXT record, RFC 6764 §4). */
export async function findServicePath(name: string, signal: AbortSignal): Promise<string | undefined> {
  const records = (await askDns((dns) => dns.resolveTxt(name), signal)) ?? []
  return records
    .map((pieces) => /^path=(\/\S*)$/.exec(pieces.join(''))?.[1])
    .find((path) => path !== undefined && !path.startsWith('//'))
}

/** A question to the name service; undefined when there is no answer. */
async function askDns<T>(ask: (dns: Resolver) => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const resolver = new Resolver({ timeout: 2000, tries: 1 })
  const cancel = (): void => resolver.cancel()
  signal.addEventListener('abort', cancel)
  try {
    return await ask(resolver)
  } catch {
    return undefined
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
