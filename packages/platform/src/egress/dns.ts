/** DNS queries about a domain's mail, calendars and contacts. */
import { Resolver } from 'node:dns/promises'

/** The mail exchangers of a domain, best first. Empty if the query fails. */
export async function findMailExchangers(domain: string, signal: AbortSignal): Promise<string[]> {
  const records = (await askDns((dns) => dns.resolveMx(domain), signal)) ?? []
  return records.toSorted((a, b) => a.priority - b.priority).map((record) => record.exchange)
}

/** The host and port of a domain's service, from its SRV records. */
export async function findService(
  name: string,
  signal: AbortSignal,
): Promise<{ host: string; port: number } | undefined> {
  const records = (await askDns((dns) => dns.resolveSrv(name), signal)) ?? []
  const [best] = records.toSorted((a, b) => a.priority - b.priority || b.weight - a.weight)
  // A target of "." means that the domain does not offer the service (RFC 2782).
  return best && best.name !== '' && best.name !== '.' ? { host: best.name.toLowerCase(), port: best.port } : undefined
}

/** The path of a domain's service, from the TXT record next to its SRV record (`path=`, RFC 6764 §4). */
export async function findServicePath(name: string, signal: AbortSignal): Promise<string | undefined> {
  const records = (await askDns((dns) => dns.resolveTxt(name), signal)) ?? []
  return records
    .map((pieces) => /^path=(\/\S*)$/.exec(pieces.join(''))?.[1])
    .find((path) => path !== undefined && !path.startsWith('//'))
}

/** A DNS query. Undefined if there is no answer. */
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
