/** The changes that tracking makes to a message, and which visits count. */
import { randomBytes, randomUUID } from 'node:crypto'
import { ApiError } from '@waypost/platform/api-error'
import { keyRingFromText } from '@waypost/platform/crypto/key-ring'
import type { VisitCount } from '@waypost/store/tables/mail/tracked-messages'
import { describe, expect, test } from 'vitest'
import type { MessageRequest } from '../../src/sending/message-request.ts'
import { locationOf, targetOf } from '../../src/sending/tracking/links.ts'
import { createTrackingTokens, sealOf } from '../../src/sending/tracking/tokens.ts'
import { type TrackingWish, trackingPlanOf, withoutPixel } from '../../src/sending/tracking/tracking.ts'
import { isCounted, loadsInAdvance, type Visit, withClicks, withOpens } from '../../src/sending/tracking/visits.ts'

const keyRing = keyRingFromText(randomBytes(32).toString('base64'))
const baseUrl = 'https://waypost.example/mail'
const sendId = randomUUID()
const plan = (body: string, options: TrackingWish, more: MessageRequest & { signature?: string } = {}) => {
  const { signature, ...request } = more
  return trackingPlanOf({ body, ...request, tracking_options: options }, { sendId, baseUrl, keyRing, signature })
}
const tokenIn = (html = '') => [...html.matchAll(/\/t\/[co]\/([\w.-]+?)(?:\.gif)?"/g)].map(([, token]) => token ?? '')
/** The HTML with every tracked link replaced by its index. */
const shown = (html = '') => {
  let index = 0
  return html.replaceAll(/https:\/\/waypost\.example\/mail\/t\/c\/[\w.-]+/g, () => `LINK${index++}`)
}

describe('tracked links', () => {
  test('replace the address of every eligible link, and nothing else', () => {
    const html = `<!-- <a href="https://no.example"> --><p class='x'>
      <A HREF = 'https://a.example/?x=1&amp;y=2' target=_blank>a</A> <a name="top">none</a> <a href>none</a>
      <a title=">" href=https://b.example/path/>b</a><a href="&#104;ttp://c.example">c</a>
      <a href=" mailto:d@example.org?subject=a b ">d</a><a href="tel:+49 30 1">e</a><a/href="https://f.example"/>f
      <style>a[href="https://no.example"]{}</style><img src="https://no.example/x.png"><link href="https://no.example">
      <a href="zoommtg://x">z</a><a href="#top">t</a><a href="/x">r</a><a href="//evil.example">p</a>
      <a href="https://user:pw@x.example/">u</a><a href="https://user@x.example/">u</a><a href="https://">i</a><a href="http:// x">i</a>
      <a href="javascript:alert(1)">j</a><a href="data:text/html,x">k</a><a href="java&#10;script:x">l</a>
      <a href="https://first.example" href="https://second.example">m</a><a href="https://unfinished.example`
    const { html: out, rows } = plan(html, { links: true }) ?? {}
    expect(rows?.links.map(({ url }) => url)).toEqual([
      'https://a.example/?x=1&y=2',
      'https://b.example/path/',
      'http://c.example',
      'mailto:d@example.org?subject=a b',
      'tel:+49 30 1',
      'https://f.example',
      'https://first.example',
    ])
    expect(shown(out)).toBe(
      html
        .replace('https://a.example/?x=1&amp;y=2', 'LINK0')
        .replace('https://b.example/path/', '"LINK1"')
        .replace('&#104;ttp://c.example', 'LINK2')
        .replace(' mailto:d@example.org?subject=a b ', 'LINK3')
        .replace('tel:+49 30 1', 'LINK4')
        .replace('https://f.example', 'LINK5')
        .replace('https://first.example', 'LINK6'),
    )
  })

  test('have tokens that identify the message and the link, and never contain the target', () => {
    const { html, rows } =
      plan('<a href="https://a.example/">a</a><a href="https://a.example/">b</a>', { links: true }) ?? {}
    const tokens = createTrackingTokens(keyRing)
    const found = tokenIn(html)
    expect(found.map((token) => tokens.read(token))).toEqual(
      [0, 1].map((link) => ({ sendId, link, seal: sealOf(found[link] ?? ''), isChecked: true })),
    )
    expect(rows?.links.map(({ seal }) => seal)).toEqual(found.map(sealOf))
    expect(html).not.toContain('a.example')
  })

  test('that already lead through this service stay, also from another message', () => {
    const once = plan('<a href="https://a.example/">a</a>', { links: true })?.html ?? ''
    const twice = plan(`<a href="https://b.example/">b</a>${once}`, { links: true })
    expect(twice?.rows.links.map(({ url }) => url)).toEqual(['https://b.example/'])
    expect(twice?.html?.endsWith(once)).toBe(true)
  })

  test.each([
    [100, undefined],
    [101, 'Too many tracking links: 101 exceeds the maximum of 100. Please reduce the number of links in your email.'],
    [
      5_000,
      'Too many tracking links: 5000 exceeds the maximum of 100. Please reduce the number of links in your email.',
    ],
  ])('of a message are at most 100: %i', (count, message) => {
    const body = '<a href="https://a.example/">x</a>'.repeat(count)
    const work = () => plan(body, { links: true })
    if (message === undefined) expect(work()?.rows.links).toHaveLength(count)
    else expect(work).toThrow(expect.objectContaining({ message, code: 'invalid_request' }))
    expect(plan(body, { opens: true })?.rows.links).toEqual([])
  })

  test('may be long, up to a limit', () => {
    const long = `https://a.example/?${'x'.repeat(8_192)}`
    expect(plan(`<a href="${long}">x</a>`, { links: true })?.rows.links[0]?.url).toBe(long)
    expect(targetOf(`https://a.example/?${'x'.repeat(20_000)}`, baseUrl)).toBeUndefined()
  })

  test('include those of the signature', () => {
    const tracked = plan('<p>Hi</p>', { links: true }, { signature: '<a href="https://me.example/">me</a>' })
    expect(tracked?.rows.links.map(({ url }) => url)).toEqual(['https://me.example/'])
    expect(shown(tracked?.html)).toBe('<p>Hi</p><br><a href="LINK0">me</a>')
  })

  test('redirect in ASCII, and only to allowed targets', () => {
    expect(locationOf('https://www.example.com')).toBe('https://www.example.com/')
    expect(locationOf('https://bücher.example/ä b?q=100%25#ö')).toBe(
      'https://xn--bcher-kva.example/%C3%A4%20b?q=100%25#%C3%B6',
    )
    expect(locationOf('http://[::1]:8080/x')).toBe('http://[::1]:8080/x')
    expect(locationOf('mailto:a@example.org?subject=a b')).toBe('mailto:a@example.org?subject=a%20b')
    expect(locationOf('tel:+49 30 1')).toBe('tel:+49%2030%201')
    for (const bad of [
      'javascript:alert(1)',
      'data:text/html,x',
      '//evil.example',
      'ftp://x.example',
      'https://',
      '',
    ]) {
      expect(locationOf(bad)).toBeUndefined()
    }
    expect(locationOf('https://x.example/\r\nSet-Cookie: a=b')).toBe('https://x.example/Set-Cookie:%20a=b')
  })
})

describe('the pixel', () => {
  test('is at the end of the HTML, inside the document', () => {
    const { html, rows } = plan('<html><body><p>Hi</p></body></html>', { opens: true }) ?? {}
    expect(html).toMatch(
      /^<html><body><p>Hi<\/p><img src="https:\/\/waypost\.example\/mail\/t\/o\/v1\.[\w.-]+\.gif" alt="" width="1" height="1" style="[^"]*"><\/body><\/html>$/,
    )
    const [token = ''] = tokenIn(html)
    expect(createTrackingTokens(keyRing).read(token)).toMatchObject({ sendId, link: undefined })
    expect(rows?.openSeal).toBe(sealOf(token))
    expect(plan('<p>Hi</p>', { opens: true })?.html).toMatch(/^<p>Hi<\/p><img [^>]*>$/)
  })

  test('of quoted mail is removed', () => {
    const quoted = plan('<p>Earlier</p>', { opens: true })?.html ?? ''
    const answer = plan(`<p>Now</p><blockquote>${quoted}</blockquote>`, { opens: true })?.html ?? ''
    expect(tokenIn(answer)).toHaveLength(1)
    expect(answer).toMatch(/^<p>Now<\/p><blockquote><p>Earlier<\/p><\/blockquote><img [^>]*>$/)
  })

  test('is removed from read messages in any notation, and other images stay', () => {
    const body =
      '<p>Hi</p><img src="https://waypost.example/logo.png"><img alt="x" src="https://other.example/t/o/v1.gif">'
    const sent = plan(body, { opens: true })?.html ?? ''
    expect(sent).not.toBe(body)
    expect(withoutPixel(sent, baseUrl)).toBe(body)
    const source = /src="(https:\/\/waypost\.example\/mail\/t\/o\/[^"]*)"/.exec(sent)?.[1]
    for (const tag of [
      `<IMG width=1 SRC='${source}'/>`,
      `<img\n  style="x"\n src = ${source}>`,
      `<img alt="" src="${source}" />`,
    ]) {
      expect(withoutPixel(`a${tag}b`, baseUrl)).toBe('ab')
    }
    expect(withoutPixel(sent, 'https://another.example')).toBe(sent)
    expect(withoutPixel(`${baseUrl}/t/o/x ${'<img '.repeat(50_000)}`, baseUrl)).toContain('<img')
  })
})

describe('tracking', () => {
  test('is off by default', () => {
    expect(plan('<p>Hi</p>', {})).toBeUndefined()
    expect(plan('<p>Hi</p>', { opens: false, label: 'x' })).toBeUndefined()
    expect(trackingPlanOf({ body: 'x' }, { sendId, baseUrl, keyRing })).toBeUndefined()
  })

  test('of plain text covers only replies', () => {
    const { html, rows } =
      plan(
        'See https://a.example',
        { opens: true, links: true, thread_replies: true, label: 'l' },
        { is_plaintext: true },
      ) ?? {}
    expect(html).toBeUndefined()
    expect(rows).toEqual({
      sendId,
      sender: null,
      options: { opens: true, links: true, thread_replies: true, label: 'l' },
      openSeal: null,
      links: [],
    })
  })

  test("cannot use a host of the sender's own", () => {
    const work = () => plan('x', { opens: true, domain_name: 'track.example.com' })
    expect(work).toThrow(ApiError)
    expect(work).toThrow(/^tracking_options\.domain_name must be an active custom hostname for this organization$/)
  })
})

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:135.0) Gecko/20100101 Firefox/135.0'
const at = 1_740_000_000_000
const visit = (changes: Partial<Visit> = {}): Visit => ({
  ip: '203.0.113.7',
  userAgent: firefox,
  at,
  isAdvance: false,
  ...changes,
})
const nothing: VisitCount = { count: 0, lastAt: null, recents: [], flagged: 0, heldAfter: null }
const sending = { sentAt: at - 3_600_000, ownIp: null }

describe('a visit', () => {
  test.each([
    ...[
      'Googlebot/2.1',
      'Mozilla/5.0 (compatible; Barracuda Sentinel)',
      'Microsoft Office Existence Discovery',
      'curl/8.1',
    ],
    ...[
      'Mozilla/5.0 HeadlessChrome/120',
      'Slackbot-LinkExpanding 1.0',
      'facebookexternalhit/1.1',
      'python-requests/2.31',
      'Go-http-client/1.1',
    ],
  ])('of %j counts neither as open nor as click', (userAgent) => {
    expect(isCounted('open', visit({ userAgent }), sending)).toBe(false)
    expect(isCounted('click', visit({ userAgent }), sending)).toBe(false)
  })

  test.each([
    firefox,
    'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    'Outlook-iOS/709',
    'Mozilla/5.0 (Linux; Android 9; CUBOT X19) AppleWebKit/537.36',
    '',
    'Thunderbird',
  ])('of %j counts', (userAgent) => {
    expect(isCounted('open', visit({ userAgent }), sending)).toBe(true)
    expect(isCounted('click', visit({ userAgent }), sending)).toBe(true)
  })

  test('of an image proxy counts once somebody can have read the message', () => {
    const gmail = 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'
    const after = (ms: number) =>
      isCounted('open', visit({ userAgent: gmail, at: at + ms }), { sentAt: at, ownIp: null })
    expect([after(0), after(9_999), after(10_000)]).toEqual([false, false, true])
    expect(isCounted('open', visit({ userAgent: gmail }), { sentAt: null, ownIp: null })).toBe(false)
    expect(isCounted('open', visit({ userAgent: 'Mozilla/5.0' }), sending)).toBe(false)
    expect(isCounted('click', visit({ userAgent: 'Mozilla/5.0' }), sending)).toBe(true)
  })

  test('of the sender does not count', () => {
    expect(isCounted('open', visit(), { ...sending, ownIp: '203.0.113.7' })).toBe(false)
    expect(isCounted('open', visit(), { ...sending, ownIp: '203.0.113.8' })).toBe(true)
  })

  test('that declares itself a prefetch does not count', () => {
    const says = (name: string, value: string) =>
      loadsInAdvance('GET', (requested) => (requested === name ? value : null))
    expect(says('purpose', 'prefetch')).toBe(true)
    expect(says('sec-purpose', 'prefetch;prerender')).toBe(true)
    expect(says('x-purpose', 'preview')).toBe(true)
    expect(says('x-moz', 'prefetch')).toBe(true)
    expect(says('sec-fetch-dest', 'prefetch')).toBe(false)
    expect(loadsInAdvance('HEAD', () => null)).toBe(true)
    expect(loadsInAdvance('GET', () => null)).toBe(false)
    expect(isCounted('click', visit({ isAdvance: true }), sending)).toBe(false)
  })
})

describe('opens', () => {
  const after = (...seconds: number[]) =>
    withOpens(
      nothing,
      seconds.map((each) => visit({ at: at + each * 1000 })),
      sending,
    )

  test('within a minute of the last counted one are one', () => {
    expect(after(0, 1, 59.9)).toMatchObject({ count: 1, lastAt: at })
    expect(after(0, 60)).toMatchObject({ count: 2, lastAt: at + 60_000 })
    // An uncounted open does not start a new minute.
    expect(after(0, 50, 100).count).toBe(2)
  })

  test('by machines are counted separately', () => {
    const counted = withOpens(
      nothing,
      [visit({ userAgent: 'Googlebot' }), visit(), visit({ isAdvance: true })],
      sending,
    )
    expect(counted).toMatchObject({ count: 1, flagged: 2 })
  })

  test('are recorded from the first, the last 50 of them, numbered from 0', () => {
    const counted = after(...Array.from({ length: 60 }, (_, index) => index * 60))
    expect(counted.count).toBe(60)
    expect(counted.recents.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, index) => index + 10))
    expect(after(0).recents).toEqual([{ number: 0, ip: '203.0.113.7', at, user_agent: firefox }])
  })
})

test('clicks are counted one by one, and the last 50 recorded', () => {
  const counted = withClicks(
    nothing,
    Array.from({ length: 70 }, (_, index) => visit({ at: at + index })),
    sending,
  )
  expect(counted).toMatchObject({ count: 70, lastAt: at + 69 })
  expect(counted.recents).toHaveLength(50)
  expect(counted.recents.at(-1)).toMatchObject({ number: 69 })
})
