/** Targets of links, forms and areas, and hosts that look like others. */

import { withAsciiHosts } from '@waypost/platform/look-alike'
import { describe, expect, test } from 'vitest'
import { plainText } from '../../src/html/plain-text.ts'
import { readableHtml } from '../../src/html/readable.ts'

const long = `https://evil.test/${'a'.repeat(5_000)}?end=1`

describe('every target is a part of the text', () => {
  test.for([
    [`<a href="https://evil.test/x">bank</a>`, 'https://evil.test/x'],
    [`<a href="${long}">bank</a>`, long],
    [`<map><area href="https://evil.test/x" alt="Pay"></map>`, 'https://evil.test/x'],
    [`<form action="https://evil.test/x">Name</form>`, 'https://evil.test/x'],
    [`<button formaction="https://evil.test/x">Pay</button>`, 'https://evil.test/x'],
    [`<input type="submit" formaction="https://evil.test/x">`, 'https://evil.test/x'],
    [`<base href="https://evil.test/"><a href="/pay">bank</a>`, 'https://evil.test/'],
    [`<a href="https://bank.test@evil.test/">bank</a>`, '[opens evil.test]'],
    [`<a href="https://%65vil.test/">bank</a>`, '[opens evil.test]'],
    [`<a href="https://2130706433/">bank</a>`, '[opens 127.0.0.1]'],
    [`<a href="https://p\u0430ypal.com/">https://p\u0430ypal.com/</a>`, 'xn--pypal-4ve.com'],
    [`<a href="https://ev\u200bil.test/">bank</a>`, '[opens evil.test]'],
  ] as const)('%s', ([html, target]) => {
    expect(readableHtml(html).text).toContain(target)
    expect(plainText({ body: `<div>${html}</div>`, keepsQuotes: true }).text).toContain(target)
  })

  test.for([
    ['<meta http-equiv="Refresh" content="0;url=https://evil.test/">', 'https://evil.test/'],
    ['<iframe src="https://evil.test/x"></iframe>', 'https://evil.test/x'],
    ['<object data="https://evil.test/x"></object>', 'https://evil.test/x'],
    ['<input value="Send money" placeholder="Name">', 'Send money'],
  ] as const)('previews: %s', ([html, target]) => {
    expect(readableHtml(html).text).toContain(target)
  })
})

test.for([
  ['<img src="https://cdn.test/a.png">', 'cdn.test'],
  ['<img src=&#104;ttps://cdn.test/a.png>', 'cdn.test'],
  ['<img src="\n//cdn.test/a.png">', 'cdn.test'],
  ['<img src="ht\ntps:\\\\cdn.test/a.png">', 'cdn.test'],
  ['<img srcset="a.png 1x, https://cdn.test/a.png 2x">', 'cdn.test'],
  ['<td background="//cdn.test/a.png">x', 'cdn.test'],
  ['<p style="background:u\\72l(https://cdn.test/a.png)">x', 'cdn.test'],
  ['<style>@import "https://cdn.test/a.css";</style>', 'cdn.test'],
  ['<style>@font-face{src:url("//cdn.test/f")}</style>', 'cdn.test'],
  ['<!--[if mso]><style>p{background:url(//cdn.test/f)}</style><![endif]-->', 'cdn.test'],
  ['<link rel="stylesheet" href="https://cdn.test/a.css">', 'cdn.test'],
] as const)('previews name the host of %s', ([html, host]) => {
  expect(readableHtml(html).remoteHosts).toEqual([host])
})

test('hosts that look like others are followed by their form in networks', () => {
  expect(withAsciiHosts('See p\u0430ypal.com, now')).toBe('See p\u0430ypal.com [xn--pypal-4ve.com], now')
  expect(withAsciiHosts('ann@b\u00fccher.test')).toBe('ann@b\u00fccher.test [xn--bcher-kva.test]')
  expect(withAsciiHosts('https://\u0430\u0440\u0440\u04cf\u0435.com/x')).toContain('[xn--80ak6aa92e.com]')
  for (const text of [
    'Gr\u00fc\u00dfe aus K\u00f6ln. Bis bald.',
    'bank.test',
    'Caf\u00e9.Heute',
    '\u4f60\u597d\u3002\u518d\u89c1',
  ]) {
    expect(withAsciiHosts(text)).toBe(text)
  }
  expect(withAsciiHosts(`${'\u00e9'.repeat(200_000)}.test`)).toHaveLength(200_005)
})
