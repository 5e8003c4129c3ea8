/**
 * Where Autodiscover searches for the server of an Exchange mailbox, and which servers get the password: the
 * decisions, without a network.
 */

import { ApiError } from '@waypost/platform/api-error'
import { parseXml } from '@waypost/platform/xml/xml'
import { describe, expect, test } from 'vitest'
import { type DiscoveryAnswer, discoveryRequests, readDiscoveryAnswer } from '../../src/ews/autodiscover/answers.ts'
import {
  advance,
  beginSearch,
  beginSearchAt,
  type Ended,
  type Outcome,
  type Search,
  type Step,
} from '../../src/ews/autodiscover/plan.ts'
import { judgeHeard, judgeHeardUrl, judgeNamed } from '../../src/ews/autodiscover/trust.ts'
import { domainOf } from '../../src/shared/domain-hosts.ts'

type Say = (step: Step) => Outcome | undefined

/** Searches for the server of an address, with responses from a function. Returns the end and every step. */
function poll(begun: Search | undefined, say: Say): { end: Ended; steps: string[] } {
  if (!begun) throw new Error('there is no domain to look in')
  const steps: string[] = []
  let state: Search | Ended = begun
  while (state.kind === 'searching') {
    const [step] = state.steps
    if (!step) throw new Error('a search without a step goes on')
    steps.push(step.kind === 'records' ? step.name : step.kind === 'ask' ? step.url : `GET ${step.url}`)
    state = advance(state, say(step) ?? { kind: 'nothing' })
  }
  return { end: state, steps }
}

const search = (say: Say, address = 'ada@people.test') => poll(beginSearch(address), say)
const settings = (...ewsUrls: string[]): Outcome => answered({ kind: 'settings', ewsUrls, displayName: 'Ada' })
const answered = (answer: DiscoveryAnswer): Outcome => ({ kind: 'answered', answer })
/** Outcomes by requested address. */
const world =
  (outcomes: Record<string, Outcome>): Say =>
  (step) =>
    outcomes[step.kind === 'records' ? 'records' : step.kind === 'redirect' ? 'redirect' : step.url]

const own = 'https://people.test/autodiscover/autodiscover.xml'
const named = 'https://autodiscover.people.test/autodiscover/autodiscover.xml'
const mail = 'https://mail.people.test/EWS/Exchange.asmx'

describe("the search for a mailbox's server", () => {
  test('uses the domain, its host autodiscover, its redirect without TLS and its record, and nothing else', () => {
    const { end, steps } = search(() => undefined)
    expect(end).toEqual({ kind: 'lost', domain: 'people.test', noted: {} })
    expect(steps).toEqual([
      own,
      named,
      'GET http://autodiscover.people.test/autodiscover/autodiscover.xml',
      '_autodiscover._tcp.people.test',
    ])
  })

  test('ends when settings name the services; a web page does not count', () => {
    const { end, steps } = search(world({ [own]: answered({ kind: 'none' }), [named]: settings(mail) }))
    expect(end).toEqual({ kind: 'found', ewsUrls: [mail], displayName: 'Ada' })
    expect(steps).toHaveLength(2)
  })

  test('ends at a server that refuses the password', () => {
    const denied = { kind: 'denied', refusal: new ApiError('grant_invalid') } as const
    const { end, steps } = search(world({ [own]: denied, [named]: settings(mail) }))
    expect(end).toEqual(denied)
    expect(steps).toHaveLength(1)
  })

  test('uses the other form if the first one has no result', () => {
    const soap = named.replace('.xml', '.svc')
    for (const first of [answered({ kind: 'error', code: '600' }), settings()]) {
      const { end } = search(world({ [named]: first, [soap]: settings(mail) }))
      expect(end).toMatchObject({ kind: 'found', ewsUrls: [mail] })
    }
    const lost = search(world({ [named]: answered({ kind: 'error', code: '500' }) }))
    expect(lost.end).toMatchObject({ kind: 'lost', noted: { unknown: 'autodiscover.people.test' } })
  })

  test('follows any server over TLS', () => {
    const there = 'https://ex.hoster.test/autodiscover/autodiscover.xml'
    for (const sent of [
      { kind: 'redirected', location: there } as const,
      answered({ kind: 'redirect url', url: there }),
    ]) {
      const { end, steps } = search(
        world({ [own]: sent, [there]: settings('https://ews.hoster.test/EWS/Exchange.asmx') }),
      )
      expect(end).toMatchObject({ kind: 'found', ewsUrls: ['https://ews.hoster.test/EWS/Exchange.asmx'] })
      expect(steps).toEqual([own, there])
    }
  })

  test('starts again with another address that a server returns', () => {
    const { end, steps } = search(
      world({
        [named]: answered({ kind: 'redirect address', address: 'ada@branch.test' }),
        'https://autodiscover.branch.test/autodiscover/autodiscover.xml': settings(mail),
      }),
    )
    expect(end).toMatchObject({ kind: 'found' })
    expect(steps).toEqual([
      own,
      named,
      'https://branch.test/autodiscover/autodiscover.xml',
      'https://autodiscover.branch.test/autodiscover/autodiscover.xml',
    ])
  })

  test('uses only one host if it was given', () => {
    const at = beginSearchAt('https://ex.hoster.test', 'ada@people.test')
    const { end, steps } = poll(at, () => undefined)
    expect(end.kind).toBe('lost')
    expect(steps).toEqual(['https://ex.hoster.test/autodiscover/autodiscover.xml'])
  })
})

describe('a response without TLS', () => {
  test('leads to hosts of the domain, and only to the service there', () => {
    const heard = search(
      world({
        redirect: { kind: 'redirected', location: 'https://mail.people.test/~mallory/login.php?x=1' },
        'https://mail.people.test/autodiscover/autodiscover.xml': settings(mail),
      }),
    )
    expect(heard.end).toMatchObject({ kind: 'found' })
    const recorded = search(
      world({
        records: { kind: 'records', host: 'Mail.People.Test.', port: 8443 },
        'https://mail.people.test:8443/autodiscover/autodiscover.xml': settings(mail),
      }),
    )
    expect(recorded.end).toMatchObject({ kind: 'found' })
  })

  test.each([
    ['a redirect to another domain', { redirect: 'https://autodiscover.mallory.test/autodiscover/autodiscover.xml' }],
    ['a domain that ends with the same letters', { redirect: 'https://evilpeople.test/autodiscover/autodiscover.xml' }],
    ['a record of another domain', { host: 'ex.mallory.test' }],
    ['a record of the domain above', { host: 'test' }],
  ])('is not followed: %s', (_, said: { redirect?: string; host?: string }) => {
    const { end, steps } = search(
      world({
        ...(said.redirect ? { redirect: { kind: 'redirected', location: said.redirect } } : {}),
        ...(said.host ? { records: { kind: 'records', host: said.host, port: 443 } } : {}),
      }),
    )
    expect(end).toMatchObject({ kind: 'lost', noted: { foreign: expect.any(String) } })
    expect(steps).toHaveLength(4)
  })

  test.each([
    'http://mail.people.test/autodiscover/autodiscover.xml',
    'https://10.0.0.1/autodiscover/autodiscover.xml',
    'https://[::1]/autodiscover/autodiscover.xml',
    'https://0x7f000001/autodiscover/autodiscover.xml',
    'https://people.test@mallory.test/',
    'https://ada:pass@mail.people.test/',
    'javascript:alert(1)',
    'https://',
    '',
  ])('is not followed to %s', (location) => {
    const { end, steps } = search(world({ redirect: { kind: 'redirected', location } }))
    expect(end).toEqual({ kind: 'lost', domain: 'people.test', noted: {} })
    expect(steps).toHaveLength(4)
  })
})

describe('a server that misleads', () => {
  test('is a dead end if it leads to itself, or in a circle', () => {
    const other = 'https://mail.people.test/autodiscover/autodiscover.xml'
    const circle = world({
      [own]: { kind: 'redirected', location: own },
      [named]: answered({ kind: 'redirect url', url: other }),
      [other]: { kind: 'redirected', location: named.toUpperCase().replace('HTTPS', 'https') },
    })
    const { end, steps } = search(circle)
    expect(end.kind).toBe('lost')
    expect(steps.filter((step) => step.startsWith('https://'))).toEqual([own, named, other])
    const addresses = search(world({ [own]: answered({ kind: 'redirect address', address: 'Ada@People.test' }) }))
    expect(addresses.steps).toHaveLength(4)
  })

  test('is followed at most ten times', () => {
    let made = 0
    const urls = search((step) =>
      step.kind === 'ask'
        ? { kind: 'redirected', location: `https://h${++made}.people.test/autodiscover/a.xml` }
        : undefined,
    )
    expect(urls.end.kind).toBe('lost')
    expect(urls.steps.length).toBeLessThan(16)
    made = 0
    const addresses = search((step) =>
      step.kind === 'ask' ? answered({ kind: 'redirect address', address: `ada@d${++made}.test` }) : undefined,
    )
    expect(addresses.end.kind).toBe('lost')
    expect(addresses.steps.length).toBeLessThan(16)
  })

  test.each(['http://mail.people.test/EWS/Exchange.asmx', 'https://192.168.1.2/EWS/Exchange.asmx', 'https:///', 'no'])(
    'returns no service that could get a password: %s',
    (url) => {
      expect(search(world({ [own]: settings(url) })).end.kind).toBe('lost')
      expect(search(world({ [own]: settings(url, mail) })).end).toMatchObject({ ewsUrls: [mail] })
    },
  )

  test('cannot lead to a top-level domain', () => {
    const { end, steps } = search(world({ [own]: answered({ kind: 'redirect address', address: 'ada@test' }) }))
    expect(end.kind).toBe('lost')
    expect(steps.some((step) => step.includes('autodiscover.test'))).toBe(false)
  })
})

test.each([
  ['the address of its services', { [own]: settings('https://outlook.office365.com/EWS/Exchange.asmx') }],
  [
    'a redirect',
    { redirect: { kind: 'redirected', location: 'https://autodiscover-s.outlook.com/autodiscover/autodiscover.xml' } },
  ],
  ['another address', { [own]: answered({ kind: 'redirect address', address: 'ada@people.mail.onmicrosoft.com' }) }],
  ['a record', { records: { kind: 'records', host: 'autodiscover.outlook.com', port: 443 } }],
] as [string, Record<string, Outcome>][])(
  'a mailbox in the cloud is recognized by %s, and nothing is sent there',
  (_, said) => {
    const { end, steps } = search(world(said))
    expect(end).toEqual({ kind: 'cloud' })
    expect(steps.some((step) => /outlook|office|onmicrosoft/.test(step))).toBe(false)
  },
)

test('an invalid certificate is recorded', () => {
  const { end } = search(world({ [named]: { kind: 'certificate' } }))
  expect(end).toMatchObject({ kind: 'lost', noted: { certificate: 'autodiscover.people.test' } })
})

test('addresses with and without a domain to search', () => {
  expect(domainOf('ada@Bücher.Example')).toBe('xn--bcher-kva.example')
  expect(domainOf('"a@b"@people.test')).toBe('people.test')
  for (const bad of [
    'ada',
    '@people.test',
    'ada@com',
    'ada@',
    'ada@[10.0.0.1]',
    'ada@10.0.0.1',
    'ada@a b.test',
    'ada@p.test/x',
    'ada@p..test',
  ]) {
    expect(domainOf(bad), bad).toBeUndefined()
  }
  expect(beginSearch('CORP\\ada')).toBeUndefined()
  expect(judgeNamed('/autodiscover/other.xml', own)).toEqual({ url: 'https://people.test/autodiscover/other.xml' })
  expect(judgeHeard({ host: 'people.test', port: 0 }, 'people.test')).toEqual({ refused: 'malformed' })
  expect(judgeHeardUrl('//mallory.test/', 'http://autodiscover.people.test/', 'people.test')).toEqual({
    refused: 'malformed',
  })
})

describe('responses', () => {
  const read = (text: string): DiscoveryAnswer => readDiscoveryAnswer(Buffer.from(text))
  const pox = (inner: string): string =>
    `<?xml version="1.0" encoding="utf-8"?><Autodiscover xmlns="http://schemas.microsoft.com/exchange/autodiscover/responseschema/2006"><Response xmlns="http://schemas.microsoft.com/exchange/autodiscover/outlook/responseschema/2006a">${inner}</Response></Autodiscover>`
  const soap = (inner: string): string =>
    `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><GetUserSettingsResponseMessage xmlns="http://schemas.microsoft.com/exchange/2010/Autodiscover"><Response><ErrorCode>NoError</ErrorCode><UserResponses><UserResponse>${inner}</UserResponse></UserResponses></Response></GetUserSettingsResponseMessage></s:Body></s:Envelope>`

  test('contain the services, external ones first', () => {
    const protocol = (type: string, url: string) => `<Protocol><Type>${type}</Type>${url}</Protocol>`
    const inner = `<User><DisplayName>Ada &amp; Co</DisplayName></User><Account><AccountType>email</AccountType><Action>settings</Action>${protocol('EXCH', '<EwsUrl>https://inside.test/e</EwsUrl>')}${protocol('EXPR', '<ASUrl>https://a.test/e</ASUrl><EwsUrl> https://outside.test/e </EwsUrl>')}${protocol('WEB', '<EwsUrl>https://web.test/</EwsUrl>')}${protocol('EXHTTP', '<ASUrl>https://inside.test/e</ASUrl>')}</Account>`
    expect(read(pox(inner))).toEqual({
      kind: 'settings',
      ewsUrls: ['https://outside.test/e', 'https://inside.test/e'],
      displayName: 'Ada & Co',
    })
    const setting = (name: string, value: string) =>
      `<UserSetting><Name>${name}</Name><Value>${value}</Value></UserSetting>`
    const user = `<ErrorCode>NoError</ErrorCode><UserSettings>${setting('InternalEwsUrl', 'https://in.test/')}${setting('ExternalEwsUrl', 'https://out.test/')}</UserSettings>`
    expect(read(soap(user))).toEqual({
      kind: 'settings',
      ewsUrls: ['https://out.test/', 'https://in.test/'],
      displayName: undefined,
    })
  })

  test('lead to another server, or say that they cannot', () => {
    expect(read(pox('<Account><Action>redirectAddr</Action><RedirectAddr>a@b.test</RedirectAddr></Account>'))).toEqual({
      kind: 'redirect address',
      address: 'a@b.test',
    })
    expect(
      read(pox('<Account><Action>redirectUrl</Action><RedirectUrl>https://b.test/</RedirectUrl></Account>')),
    ).toEqual({ kind: 'redirect url', url: 'https://b.test/' })
    expect(read(pox('<Error><ErrorCode>600</ErrorCode></Error>'))).toEqual({ kind: 'error', code: '600' })
    expect(read(soap('<ErrorCode>RedirectUrl</ErrorCode><RedirectTarget>https://b.test/</RedirectTarget>'))).toEqual({
      kind: 'redirect url',
      url: 'https://b.test/',
    })
    expect(read(soap('<ErrorCode>RedirectAddress</ErrorCode><RedirectTarget>a@b.test</RedirectTarget>'))).toEqual({
      kind: 'redirect address',
      address: 'a@b.test',
    })
    expect(read(soap('<ErrorCode>ServerBusy</ErrorCode>'))).toEqual({ kind: 'busy' })
    expect(read(soap('<ErrorCode>InvalidUser</ErrorCode>'))).toEqual({ kind: 'error', code: 'InvalidUser' })
  })

  test('of another kind are rejected', () => {
    const entity = `<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>${pox('<Account>&e;</Account>')}`
    const deep = pox('<a>'.repeat(500) + '</a>'.repeat(500))
    const large = pox(`<Account>${'<Protocol><Type>EXCH</Type></Protocol>'.repeat(20_000)}</Account>`)
    for (const text of [
      '',
      '<!doctype html><html><body>Welcome</body></html>',
      '<html><body/></html>',
      '{"a":1}',
      'Unauthorized',
      entity,
      deep,
      large,
      pox('<Account>'),
    ]) {
      expect(read(text)).toEqual({ kind: 'none' })
    }
  })

  test('are requested with the address escaped as text', () => {
    for (const format of ['pox', 'soap'] as const) {
      const body = discoveryRequests[format].body('a<b>&"@people.test', 'https://people.test/a?b&c')
      expect(JSON.stringify(parseXml(body))).toContain('a<b>&\\"@people.test')
    }
  })
})
