/** Addresses and address ranges, such as `203.0.113.7` and `2001:db8::/32`. */
import { BlockList, isIP } from 'node:net'

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whether a text is an address, or addresses with the length of their common prefix. */
export function isRange(item: string): boolean {
  const [, address = '', prefix = '0'] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(item) ?? []
  return isIP(address) !== 0 && Number(prefix) <= (isIP(address) === 6 ? 128 : 32)
}

/** Tests whether an address is in one of these ranges. */
export function withinRanges(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => false
  const known = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    if (prefix === undefined) known.addAddress(address, family(address))
    else known.addSubnet(address, Number(prefix), family(address))
  }
  return (address) => isIP(address) !== 0 && known.check(address, family(address))
}
