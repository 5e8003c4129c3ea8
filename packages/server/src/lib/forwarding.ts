/** By what a request shows that it was not made on this machine, but passed on to it. Pure. */
import { isLoopbackHost } from './egress/addresses.ts'

/** How a header of a request is read; names are in lower case. */
export interface Arrival {
  header(name: string): string | undefined
  /** Of the headers that it has. */
  readonly names: readonly string[]
  /** Of HTTP, such as `1.1`, where it is known. */
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
 * What shows that a request to a loopback address comes from elsewhere: a header that proxies add; a Host that is not
 * this machine's, as with a forwarded port or a name that was pointed here; or HTTP/1.0, in which nginx passes on what it
 * is not told otherwise, and in which no client of today asks by itself. A foreign Origin shows nothing: any page that
 * somebody on this machine opens can send one.
 */
export function signOfForwarding(arrival: Arrival): string | undefined {
  const { header, names, httpVersion } = arrival
  const name = names.find((each) => forwardingNames.has(each))
  if (name !== undefined) return name
  if (httpVersion === '1.0') return 'HTTP/1.0'
  const host = header('host')
  return host === undefined || isLoopbackHost(host.replace(/:\d*$/, '')) ? undefined : 'host'
}
