/** Detects requests that were forwarded to this machine rather than made on it. Pure. */
import { isLoopbackHost } from './egress/addresses.ts'

/** Access to the headers of a request. Names are in lower case. */
export interface Arrival {
  header(name: string): string | undefined
  /** Names of the headers that are present. */
  readonly names: readonly string[]
  /** The HTTP version, such as `1.1`, if available. */
  httpVersion?: string | undefined
}

/** Headers that proxies, balancers, tunnels and delivery networks add (RFC 7239, RFC 9110 §7.6.3, RFC 8586, and their own). */
const forwardingNames: ReadonlySet<string> = new Set([
  'x-forwarded-for',
  'forwarded',
  'via',
  'x-real-ip',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-forwarded-prefix',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-original-host',
  'x-envoy-external-address',
  'true-client-ip',
  'cdn-loop',
  'cf-connecting-ip',
  'cf-ray',
  'fastly-client-ip',
  'fly-client-ip',
  'x-azure-clientip',
  'x-amzn-trace-id',
  'x-cloud-trace-context',
])

/**
 * The evidence that a request to a loopback address comes from another machine: a header that proxies add; a Host
 * that does not belong to this machine, as with a forwarded port or a DNS name that points here; or HTTP/1.0, the
 * default of nginx for upstream requests, which no current client uses. A foreign Origin is no evidence: any web page
 * opened on this machine can send one.
 */
export function signOfForwarding(arrival: Arrival): string | undefined {
  const { header, names, httpVersion } = arrival
  const name = names.find((each) => forwardingNames.has(each))
  if (name !== undefined) return name
  if (httpVersion === '1.0') return 'HTTP/1.0'
  const host = header('host')
  return host === undefined || isLoopbackHost(host.replace(/:\d*$/, '')) ? undefined : 'host'
}
