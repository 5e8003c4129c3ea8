import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AddressMode, addressVerdict } from '../../src/egress/addresses.ts'

const allowed = (ip: string, mode: AddressMode, own: readonly string[] = []) =>
  addressVerdict(ip, { mode, own }).allowed

const REFUSED_EVERYWHERE = [
  ['an unspecified IPv4 address', ['0.0.0.0', '0.1.2.3']],
  ['a link-local IPv4 address', ['169.254.0.0', '169.254.170.2', '169.254.255.255']],
  ['a metadata service', ['169.254.169.254', '100.100.100.200', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254']],
  ['the credentials of an AWS container', ['fd00:ec2::23', '169.254.170.23']],
  ['an IETF protocol assignment', ['192.0.0.1', '192.0.0.192', '2001::1', '2001:1ff::1']],
  ['a documentation address', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff:fff::1']],
  ['an AS112, AMT or 6to4 relay', ['192.31.196.1', '192.175.48.1', '192.52.193.1', '192.88.99.1', '2620:4f:8000::1']],
  ['a benchmarking address', ['198.18.0.0', '198.19.255.255']],
  ['a multicast address', ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1']],
  ['a reserved or broadcast address', ['240.0.0.1', '255.255.255.254', '255.255.255.255']],
  ['an IPv4-mapped address', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::FFFF:a9fe:a9fe', '::ffff:8.8.8.8']],
  ['an IPv4 address hidden in NAT64', ['64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1']],
  ['an IPv4 address hidden in 6to4 or Teredo', ['2002:7f00:1::', '2001:0:7f00:1::', '2002:808:808::1']],
  ['an IPv4-compatible address', ['::7f00:1', '::127.0.0.1', '::808:808']],
  ['an unspecified IPv6 address', ['::', '0:0:0:0:0:0:0:0']],
  ['a link-local or site-local IPv6 address', ['fe80::1', 'febf::1', 'fec0::1']],
  ['IPv6 outside 2000::/3', ['4000::1', '100::1', '100:0:0:1::1', '5f00::1', '1fff::1', 'fbff::1', 'fe00::1']],
  ['an address with a zone id', ['fe80::1%eth0', '2606:4700::1111%1', '::1%lo']],
  [
    'text that is not an IP address',
    ['', 'localhost', '127.1', '0x7f.1', '2130706433', '0177.0.0.1', '[::1]', '1.1.1.1.'],
  ],
] as const

const PRIVATE = [
  ['loopback', ['127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1']],
  [
    'a private network',
    ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  ],
  ['carrier-grade NAT', ['100.64.0.0', '100.127.255.255']],
  ['a unique local address', ['fc00::1', 'fd12:3456::1', 'fdff:ffff::1', 'fd00:ec2::255']],
] as const

const EDGES = [
  '100.63.255.254',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.0',
  '11.0.0.0',
  '9.255.255.255',
  '223.255.255.255',
  '168.63.129.15',
  '168.63.129.17',
  '192.0.1.0',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '2001:4860:4860::8888',
  '2001:200::1',
  '2003::1',
  '2620:4f:8001::1',
  '3ffe:ffff::1',
  '2606:4700:4700::1111',
]

describe('an address', () => {
  for (const [kind, ips] of REFUSED_EVERYWHERE) {
    test(`that is ${kind} is refused in both modes`, () => {
      for (const ip of ips) {
        expect(allowed(ip, 'public'), ip).toBe(false)
        expect(allowed(ip, 'private'), ip).toBe(false)
      }
    })
  }

  for (const [kind, ips] of PRIVATE) {
    test(`that is ${kind} is refused in mode public and allowed in mode private`, () => {
      for (const ip of ips) {
        expect(allowed(ip, 'public'), ip).toBe(false)
        expect(allowed(ip, 'private'), ip).toBe(true)
      }
    })
  }

  test.each(EDGES)('just outside a special block is allowed: %s', (ip) => {
    expect(allowed(ip, 'public')).toBe(true)
    expect(allowed(ip, 'private')).toBe(true)
  })

  test('of this machine is refused in mode public, in every notation', () => {
    const own = ['93.184.216.34', '2606:4700::1', 'nonsense', '127.0.0.1']
    expect(allowed('93.184.216.34', 'public', own)).toBe(false)
    expect(allowed('2606:4700:0:0::0001', 'public', own)).toBe(false)
    expect(allowed('93.184.216.35', 'public', own)).toBe(true)
    expect(allowed('2606:4700::2', 'public', own)).toBe(true)
    expect(allowed('93.184.216.34', 'private', own)).toBe(true)
  })

  test('that is refused has a reason', () => {
    expect(addressVerdict('127.0.0.1', { mode: 'public' })).toEqual({ allowed: false, reason: 'loopback' })
    expect(addressVerdict('168.63.129.16', { mode: 'private' })).toEqual({
      allowed: false,
      reason: 'Azure wire server',
    })
  })
})

// An oracle that shares nothing with the module: addresses are numbers, blocks are number ranges.
type Range = readonly [first: bigint, last: bigint]

function range(first: string, prefix: number): Range {
  const v6 = first.includes(':')
  const start = v6 ? groups(first) : first.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
  return [start, start + (1n << BigInt((v6 ? 128 : 32) - prefix)) - 1n]
}

function groups(text: string): bigint {
  const [head = '', tail = ''] = text.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const zeros = Array<string>(8 - left.length - right.length).fill('0')
  return [...left, ...zeros, ...right].reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n)
}

const within = (value: bigint, ranges: readonly Range[]) =>
  ranges.some(([first, last]) => first <= value && value <= last)

const ranges = (blocks: string) =>
  blocks
    .trim()
    .split(/\s+/)
    .map((block) => {
      const [first = '', prefix] = block.split('/')
      return range(first, Number(prefix))
    })

const V4_NEVER =
  ranges(`0.0.0.0/8 169.254.0.0/16 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24
  192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 168.63.129.16/32 100.100.100.200/32`)
const V4_PRIVATE = ranges('10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 172.16.0.0/12 192.168.0.0/16')
const V6_NEVER =
  ranges(`2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 fd00:ec2::254/128 fd00:ec2::23/128
  fd20:ce::254/128`)
const V6_PRIVATE = ranges('::1/128 fc00::/7')
const V6_GLOBAL = ranges('2000::/3')

function oracle4(value: bigint, mode: AddressMode): boolean {
  if (within(value, V4_NEVER)) return false
  return mode === 'private' || !within(value, V4_PRIVATE)
}

function oracle6(value: bigint, mode: AddressMode): boolean {
  if (within(value, V6_NEVER)) return false
  return within(value, V6_GLOBAL) || (mode === 'private' && within(value, V6_PRIVATE))
}

const text4 = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')

function text6(value: bigint): string {
  return Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16)).join(':')
}

const shortened = (ip: string) => new URL(`http://[${ip}]/`).hostname.slice(1, -1)

describe('the verdict', () => {
  test('agrees with an independent oracle on random IPv4 addresses', () => {
    let state = 0x9e3779b9
    const wrong: string[] = []
    for (let count = 0; count < runs(25_000); count += 1) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      const ip = text4(state)
      for (const mode of ['public', 'private'] as const) {
        if (allowed(ip, mode) !== oracle4(BigInt(state), mode)) wrong.push(`${ip} ${mode}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('agrees with the oracle at both ends of every block and one beyond', () => {
    for (const [first, last] of [...V4_NEVER, ...V4_PRIVATE]) {
      for (const value of [first - 1n, first, last, last + 1n]) {
        if (value < 0n || value >= 1n << 32n) continue
        for (const mode of ['public', 'private'] as const) {
          expect(allowed(text4(Number(value)), mode), text4(Number(value))).toBe(oracle4(value, mode))
        }
      }
    }
    for (const [first, last] of [...V6_NEVER, ...V6_PRIVATE, ...V6_GLOBAL]) {
      for (const value of [first - 1n, first, last, last + 1n]) {
        for (const mode of ['public', 'private'] as const) {
          expect(allowed(text6(value), mode), text6(value)).toBe(oracle6(value, mode))
        }
      }
    }
  })

  test('agrees with the oracle on random IPv6 addresses, in long and in short form', () => {
    const blocks = [...V6_NEVER, ...V6_PRIVATE, ...V6_GLOBAL, ...ranges('::/64 ::ffff:0:0/96 64:ff9b::/96 fe80::/9')]
    const inBlock = fc.constantFrom(...blocks).chain(([min, max]) => fc.bigInt({ min, max }))
    const anywhere = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n })
    fc.assert(
      fc.property(fc.oneof(anywhere, inBlock), fc.constantFrom<AddressMode>('public', 'private'), (value, mode) => {
        const expected = oracle6(value, mode)
        expect(allowed(text6(value), mode)).toBe(expected)
        expect(allowed(shortened(text6(value)), mode)).toBe(expected)
      }),
      { numRuns: runs(10_000) },
    )
  })
})
