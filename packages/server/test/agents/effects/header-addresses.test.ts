/** Addresses in headers that a restricted credential chooses, in every form that a mail program may decode. */
import { describe, expect, test } from 'vitest'
import { shownRecipients } from '../../../src/agents/effects/effects.ts'
import {
  addressesInHeaders,
  furtherAddresses,
  withFurtherAddresses,
} from '../../../src/agents/effects/header-addresses.ts'
import { isAllowedRecipient } from '../../../src/applications/key-rights.ts'

const rights = { recipients: ['example.com', 'ann@partner.test'] }
const isAllowed = (value: string, name = 'Disposition-Notification-To'): boolean =>
  addressesInHeaders([{ name, value }]).every((email) => isAllowedRecipient(rights, email))

describe('addresses in headers', () => {
  test.each([
    'Eve <eve@evil.test>',
    'ann@example.com, eve@evil.test',
    'rfc822; eve@evil.test',
    '=?utf-8?q?eve=40evil.test?=',
    '=?utf-8?b?ZXZlQGV2aWwudGVzdA==?=',
    '=?utf-8?q?eve?= =?utf-8?q?=40evil.test?=',
    'ann@example.com, =?iso-8859-1?Q?eve=40evil=2Etest?=',
    '=?utf-8*en?q?=3Ceve=40evil=2Etest=3E?=',
    '=?utf-7?q?eve+AEA-evil.test?=',
    '=?utf-8?q?=3D=3Futf-8=3Fq=3Feve=3D40evil.test=3F=3D?=',
    '=?utf-8?q?eve=40evil.test',
    "address*=utf-8''eve%40evil.test",
    "a*0*=utf-8''eve; a*1*=%40evil; a*2*=.test",
    'a*0="ann@example.com"; a*1=".evil.test"',
    'friends: eve@evil.test, ann@example.com;',
    'undisclosed:=?utf-8?q?eve=40evil.test?=;',
    'ann@example.com (eve@evil.test)',
    'eve(the comment)@evil.test',
    'eve (a (nested) one) @ (b) evil.test',
    '"eve"@evil.test',
    '"ann@example.com"@evil.test',
    '"ann@example.com" <eve@evil.test>',
    '"eve@evil.test" <ann@example.com>',
    'ann@example.com@evil.test',
    'eve%evil.test@example.com',
    '<@example.com:eve@evil.test>',
    'eve@[192.0.2.1]',
    'eve＠evil.test',
    'eve@evil\u3002test',
    'eve\r\n @evil.test',
    'eve@example.com.',
    '<mailto:eve%40evil.test>',
    '<mailto:ann@example.com?cc=eve@evil.test>',
    '<mailto:ann@example.com?cc=eve%40evil.test>',
    'eve',
    '=?utf-8?q?eve?=',
  ])('a header that may reach another person is not allowed: %s', (value) => {
    expect(addressesInHeaders([{ name: 'Disposition-Notification-To', value }])).not.toEqual([])
    expect(isAllowed(value)).toBe(false)
  })

  test.each([
    'ann@example.com',
    'Ann <ann@example.com>, "Ben, Jr." <ben@example.com>',
    '=?utf-8?q?Ann_M=C3=BCller?= <ANN@Example.com>',
    'ann@partner.test',
    '"ann"@example.com',
    'friends: ann@example.com, ben@example.com;',
    '<mailto:leave@example.com?subject=leave>',
  ])('an honest address of an allowed recipient is allowed: %s', (value) => {
    expect(isAllowed(value)).toBe(true)
  })

  test.each([
    ['X-Case', '100 %, width=40, priority 1'],
    ['X-Case', '=?utf-8?q?B=C3=BCcher?='],
    ['In-Reply-To', '<123@elsewhere.test>'],
    ['Subject', 'ann@elsewhere.test'],
    ['List-Unsubscribe', '<https://example.com/leave?who=eve%40evil.test>'],
  ])('other values contain no address: %s: %s', (name, value) => {
    expect(addressesInHeaders([{ name, value }])).toEqual([])
  })

  test.each([
    '=?utf-8?q?eve=40evil.test?=, ann@example.com',
    'ann@example.com (eve@evil.test)',
    'eve@evil.test ann@example.com',
    '"ann@example.com" =?utf-8?q?=3Ceve=40evil.test=3E?=, ann@example.com',
    '=?utf-8?q?x=2C_eve=40evil.test?= <ann@example.com>',
    '"eve@evil.test" <ann@example.com>',
  ])('another reader of To may find an address that is not listed: %s', (value) => {
    expect(furtherAddresses([value], ['ann@example.com'])).toContainEqual(expect.stringContaining('eve@evil.test'))
  })

  test('names, groups and both forms of a domain add no recipients', () => {
    const values = ['=?utf-8?q?Ann_M=C3=BCller?= <ANN@Example.com>, "ben"@example.com', 'all: cid@bücher.example;']
    const known = ['ann@example.com', 'ben@example.com', 'cid@xn--bcher-kva.example']
    expect(furtherAddresses(values, known)).toEqual([])
  })

  test('a header that is too long to be parsed counts as one address, which is not allowed', () => {
    const short = { name: 'X-Short', value: 'ann@example.com' }
    for (const part of ['ann@example.com,', '"a"@b,', '%40', '=?a?q?=40']) {
      const long = { name: 'X-Long', value: part.repeat(20_000) }
      const found = addressesInHeaders([short, long, short])
      expect(found.filter((email) => !isAllowedRecipient(rights, email)).length).toBeGreaterThan(0)
      expect(found.join().length).toBeLessThan(1000)
      expect(furtherAddresses([long.value], ['ann@example.com']).join()).toMatch(/…$/)
    }
    expect(addressesInHeaders([{ name: 'X-Long', value: 'a'.repeat(900_000) }, short])).toEqual(['ann@example.com'])
  })

  test('a whole message shows the addresses that only another reader finds', () => {
    const recipients = [{ role: 'to' as const, email: 'ann@example.com' }]
    const effects = {
      kinds: [],
      recipients,
      preview: { recipients: shownRecipients(recipients), attachments: [], details: [] },
    }
    const mime = (to: string) => Buffer.from(`To: ${to}\r\nSubject: x@y.test\r\n\r\nText`)
    expect(withFurtherAddresses({ mime: mime('Ann <ann@example.com>') }, effects)).toEqual(effects)
    expect(withFurtherAddresses({ mime: undefined }, effects)).toEqual(effects)
    const found = withFurtherAddresses({ mime: mime('ann@example.com,\r\n =?utf-8?q?eve=40evil.test?=') }, effects)
    expect(found.recipients).toEqual([...recipients, { role: 'header', email: 'eve@evil.test' }])
    expect(found.preview.recipients).toEqual(found.recipients)
  })
})
