/**
 * The operator's list of hosts that outgoing connections may go to (`WAYPOST_EGRESS_ALLOW`). It only narrows what the
 * address rules allow: an entry for a private address does not make that address reachable.
 *
 *   mail.example.com          this host                  *.example.com       every name below it, not the name itself
 *   203.0.113.7, 10.0.0.0/8   an address or a range      …:993               the same, on one port only
 *   [2001:db8::/32]:993       IPv6 with a port has brackets
 *
 * A host is allowed by its name, or because every address it resolves to is in an allowed range.
 */
import { BlockList, isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { EgressError } from './error.ts'

export interface AllowList {
  /** As the operator wrote them. */
  readonly entries: readonly string[]
  /** Whether a host is allowed by its name, or, for an IP address, by its range. */
  allowsHost(host: string, port: number | undefined): boolean
  allowsAddress(address: string, port: number | undefined): boolean
  /** Whether a name may be allowed by the addresses behind it. */
  hasRanges(port: number | undefined): boolean
}

interface Entry {
  /** Undefined allows every port. */
  readonly port: number | undefined
  readonly host?: string
  /** The name that allowed names end with, with its dot. */
  readonly suffix?: string
  readonly range?: BlockList
}

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
const name = new RegExp(`^${label}(?:\\.${label})*$`)

/** Whether an entry has one of the forms above. */
export const isAllowEntry = (text: string): boolean => entryOf(text) !== undefined

/** Reads a list whose entries have been checked with `isAllowEntry`. */
export function readAllowList(texts: readonly string[]): AllowList {
  const entries = texts.flatMap((text) => entryOf(text) ?? [])
  const allows = (port: number | undefined, matches: (entry: Entry) => boolean | undefined): boolean =>
    entries.some((entry) => (entry.port === undefined || entry.port === port) && matches(entry) === true)
  const allowsAddress: AllowList['allowsAddress'] = (address, port) => {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    return isIP(address) !== 0 && allows(port, ({ range }) => range?.check(address, family))
  }
  return {
    entries: texts,
    allowsAddress,
    allowsHost: (text, port) => {
      const host = text.replace(/^\[(.*)\]$/, '$1')
      if (isIP(host) !== 0) return allowsAddress(host, port)
      return allows(port, (entry) => entry.host === host || (entry.suffix !== undefined && host.endsWith(entry.suffix)))
    },
    hasRanges: (port) => allows(port, ({ range }) => range !== undefined),
  }
}

/** Throws unless the host is allowed, or could be allowed once its addresses are resolved. */
export function checkAllowed(allow: AllowList | undefined, host: string, port: number | undefined): void {
  if (!allow || allow.allowsHost(host, port)) return
  const isName = isIP(host.replace(/^\[(.*)\]$/, '$1')) === 0
  if (!isName || !allow.hasRanges(port)) throw notAllowed(host, port)
}

/** Throws unless the host is allowed by its name or by this address. */
export function checkAllowedAddress(
  allow: AllowList | undefined,
  { host, port }: { host: string; port: number | undefined },
  address: string,
): void {
  if (allow && !allow.allowsHost(host, port) && !allow.allowsAddress(address, port)) throw notAllowed(host, port)
}

const notAllowed = (host: string, port: number | undefined): EgressError =>
  new EgressError(
    'refused_address',
    `${host}${port === undefined ? '' : ` port ${port}`} is not among the hosts that this service may connect to; ` +
      'ask the operator to add it to WAYPOST_EGRESS_ALLOW',
  )

function entryOf(text: string): Entry | undefined {
  const [, bracketed, plain = '', digits] =
    /^(?:\[([^\]]+)\]|([^:[\]]+|[\da-f:./]+?))(?::(\d{1,5}))?$/i.exec(text) ?? []
  // An IPv6 address without brackets has no port: its last group would be taken for one.
  const whole = bracketed === undefined && isIP(text.split('/')[0] ?? '') === 6
  const port = digits === undefined || whole ? undefined : Number(digits)
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined
  const place = whole ? text : (bracketed ?? plain)
  const range = rangeOf(place)
  if (range) return { port, range }
  if (bracketed !== undefined || place.includes('/')) return undefined
  const isBelow = place.startsWith('*.')
  const host = /[\p{Cc}\s\\/?#@:%*]/u.test(isBelow ? place.slice(2) : place)
    ? ''
    : hostOf(isBelow ? place.slice(2) : place)
  if (!name.test(host) || isIP(host) !== 0) return undefined
  return isBelow ? { port, suffix: `.${host}` } : { port, host }
}

const hostOf = (text: string): string => domainToASCII(text).replace(/\.$/, '').toLowerCase()

function rangeOf(text: string): BlockList | undefined {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(address)
  const max = version === 6 ? 128 : 32
  if (version === 0 || address.includes('%') || Number(prefix ?? max) > max) return undefined
  const list = new BlockList()
  list.addSubnet(address, Number(prefix ?? max), version === 6 ? 'ipv6' : 'ipv4')
  return list
}
