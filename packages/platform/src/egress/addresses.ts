/**
 * Which IP addresses the server may connect to. Pure: no DNS, no sockets.
 *
 * IPv4 is a deny list: the IANA special-purpose registry, multicast, the reserved block and Azure's wire server. IPv6
 * is an allow list: only 2000::/3 is assigned as global unicast (RFC 4291 §2.4), and a few blocks inside it are
 * special. Every form that hides an IPv4 address in an IPv6 one (::ffff:0:0/96, 64:ff9b::/96, 2002::/16, 2001::/32,
 * ::/96) falls outside, so no form has to be unwrapped. There is one list per family because a `BlockList` compares
 * IPv4 addresses with IPv6 rules through the mapped form.
 */
import { BlockList, isIP } from 'node:net'

export type AddressMode = 'public' | 'private'
export type AddressVerdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: string }

export interface AddressRule {
  readonly mode: AddressMode
  /** The machine's own addresses. Mode `private` ignores them: if loopback is allowed, so are they. */
  readonly own?: readonly string[]
}

type Family = 'ipv4' | 'ipv6'
type Block = readonly [network: string, prefix: number, reason: string]

/** These hosts return cloud credentials to any caller, so no mode may reach them. */
const METADATA: readonly Block[] = [
  ['169.254.169.254', 32, 'cloud metadata service'],
  ['100.100.100.200', 32, 'Alibaba metadata service'],
  ['168.63.129.16', 32, 'Azure wire server'],
  ['fd00:ec2::254', 128, 'AWS metadata service'],
  ['fd00:ec2::23', 128, 'AWS container credentials'],
  ['fd20:ce::254', 128, 'Google metadata service'],
]

const PRIVATE: readonly Block[] = [
  ['10.0.0.0', 8, 'private network'],
  ['172.16.0.0', 12, 'private network'],
  ['192.168.0.0', 16, 'private network'],
  ['100.64.0.0', 10, 'carrier-grade NAT'],
  ['127.0.0.0', 8, 'loopback'],
  ['::1', 128, 'loopback'],
  ['fc00::', 7, 'unique local'],
]

// https://www.iana.org/assignments/iana-ipv4-special-registry and https://www.iana.org/assignments/iana-ipv6-special-registry
const SPECIAL: readonly Block[] = [
  ['0.0.0.0', 8, 'unspecified'],
  ['169.254.0.0', 16, 'link-local'],
  ['192.0.0.0', 24, 'IETF protocol assignments'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.31.196.0', 24, 'AS112'],
  ['192.52.193.0', 24, 'AMT relay'],
  ['192.88.99.0', 24, '6to4 relay'],
  ['192.175.48.0', 24, 'AS112'],
  ['198.18.0.0', 15, 'benchmarking'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['255.255.255.255', 32, 'broadcast'],
  ['240.0.0.0', 4, 'reserved'],
  ['2001::', 23, 'IETF protocol assignments'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, '6to4'],
  ['2620:4f:8000::', 48, 'AS112'],
  ['3fff::', 20, 'documentation'],
  ['::', 128, 'unspecified'],
  ['::ffff:0:0', 96, 'IPv4-mapped'],
  ['fe80::', 10, 'link-local'],
  ['ff00::', 8, 'multicast'],
]

type Matcher = (ip: string, family: Family) => string | undefined

const ALLOWED: AddressVerdict = { allowed: true }
const metadata = matcher(METADATA)
const privateRange = matcher(PRIVATE)
const special = matcher(SPECIAL)
const globalUnicast = matcher([['2000::', 3, 'global unicast']])

/** Whether the server may connect to `ip`, and if not, the kind of address. */
export function addressVerdict(ip: string, { mode, own = [] }: AddressRule): AddressVerdict {
  const family = familyOf(ip)
  if (family === undefined) return refused('not an IP address')
  if (ip.includes('%')) return refused('zone id')

  const forbidden = metadata(ip, family)
  if (forbidden !== undefined) return refused(forbidden)

  const inside = privateRange(ip, family)
  if (inside !== undefined) return mode === 'private' ? ALLOWED : refused(inside)

  const odd = special(ip, family)
  if (odd !== undefined) return refused(odd)
  if (family === 'ipv6' && globalUnicast(ip, family) === undefined) return refused('not global unicast')
  if (mode === 'public' && isOwn(ip, family, own)) return refused("one of this machine's own addresses")
  return ALLOWED
}

function refused(reason: string): AddressVerdict {
  return { allowed: false, reason }
}

function familyOf(ip: string): Family | undefined {
  const version = isIP(ip)
  if (version === 0) return undefined
  return version === 4 ? 'ipv4' : 'ipv6'
}

function matcher(blocks: readonly Block[]): Matcher {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  const rules = blocks.map(([network, prefix, reason]) => {
    const family = familyOf(network) ?? 'ipv4'
    const list = new BlockList()
    for (const each of [list, lists[family]]) each.addSubnet(network, prefix, family)
    return { family, list, reason }
  })
  return (ip, family) => {
    if (!lists[family].check(ip, family)) return undefined
    return rules.find((rule) => rule.family === family && rule.list.check(ip, family))?.reason
  }
}

function isOwn(ip: string, family: Family, own: readonly string[]): boolean {
  const list = new BlockList()
  for (const address of own) if (familyOf(address) === family) list.addAddress(address, family)
  return list.check(ip, family)
}

/** URLs write IPv6 addresses in brackets, settings may not. 127.example.com is an ordinary name. */
export const isLoopbackHost = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1|\[::1\])$/i.test(host)

/** The host part of an address that reaches a listening host: wildcard addresses become localhost. */
export function hostInAddress(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
