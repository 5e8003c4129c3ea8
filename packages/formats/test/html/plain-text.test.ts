/** Bodies as the text that people see. */

import { isCheck } from '@waypost/testing/level'
import { describe, expect, test } from 'vitest'
import { plainText } from '../../src/html/plain-text.ts'
import { DOUBTFUL, HIDING, ORDINARY, SECRET } from './hiding-tricks.ts'

const seen = (body: string, keepsQuotes = false) => plainText({ body, keepsQuotes })
const secret = SECRET

describe('text that people cannot see is removed', () => {
  test.for([
    `<div style="display:none">${secret}</div>`,
    `<div style="DISPLAY : NONE !important">${secret}</div>`,
    `<span style="visibility:hidden">${secret}</span>`,
    `<span style="opacity:0">${secret}</span>`,
    `<span style="opacity: 0.01">${secret}</span>`,
    `<span style="font-size:0">${secret}</span>`,
    `<span style="font-size:1px;color:#333">${secret}</span>`,
    `<div style="max-height:0px;overflow:hidden">${secret}</div>`,
    `<div style="height:0;overflow:hidden">${secret}</div>`,
    `<p style="text-indent:-9999px">${secret}</p>`,
    `<p style="position:absolute;left:-10000px">${secret}</p>`,
    `<p style="mso-hide:all">${secret}</p>`,
    `<p style="color:transparent">${secret}</p>`,
    `<p style="color:#ffffff">${secret}</p>`,
    `<p style="color:#fefefe">${secret}</p>`,
    `<p style="color:rgb(255, 255, 255)">${secret}</p>`,
    `<font color="white">${secret}</font>`,
    `<table bgcolor="#000"><tr><td><p>${secret}</p></td></tr></table>`,
    `<div style="background:#123456"><b style="color:#123456">${secret}</b></div>`,
    `<p hidden>${secret}</p>`,
    `<style>.x { display: none }</style><p class="a x">${secret}</p>`,
    `<style>p#y{font-size:0}</style><p id="y">${secret}</p>`,
    `<div style="display:none"><div><style>a{}</style><p style="display:block">${secret}</p></div></div>`,
    `<!-- ${secret} -->`,
    `<script>${secret}</script>`,
  ])('%s', (html) => {
    const { text, hasHidden } = seen(`<p>Hello</p>${html}<p>Bye</p>`)
    expect(text).not.toContain(secret)
    expect(text).toMatch(/^Hello\s+Bye$/)
    expect(hasHidden).toBe(!/<!--|<script/.test(html))
  })
})

describe('visible text stays', () => {
  test.for([
    '<td style="background-color:#0055aa"><a style="color:#ffffff">Shown</a></td>',
    '<p style="color:#111">Shown</p>',
    '<div style="color:#fff;background:#fff"><p style="color:#000">Shown</p></div>',
    '<div style="background:url(x.png)"><p style="color:#fff">Shown</p></div>',
    '<style>@media (max-width:600px){.m{display:none}}</style><p class="m">Shown</p>',
    '<p style="opacity:0.9;font-size:10px;max-height:100px">Shown</p>',
    '<p style="line-height:0.9;height:0.5em">Shown</p>',
  ])('%s', (html) => {
    expect(seen(`<div>${html}</div>`)).toMatchObject({ text: 'Shown', hasHidden: false })
  })
})

describe('text that a style hides is removed and reported', () => {
  test.for(HIDING)('%s', (html) => {
    const { text, hasHidden } = seen(`<div>Hello</div>${html}<div>Bye</div>`)
    expect(text).not.toContain(secret)
    expect(text).toMatch(/^Hello[\s\S]*Bye/)
    expect(hasHidden).toBe(true)
  })
})

describe('text that people may see otherwise stays and is reported', () => {
  test.for(DOUBTFUL)('%s', (html) => {
    const { text, hasHidden, doubts } = seen(`<div>Hello</div>${html}<div>Bye</div>`)
    expect(text).toContain(secret)
    expect({ hasHidden, isReported: doubts.length > 0 }).toEqual({ hasHidden: false, isReported: true })
  })
})

describe('ordinary constructs are not reported', () => {
  test.for(ORDINARY)('%s', (html) => {
    const { text, hasHidden, doubts } = seen(`<div>${html}</div>`)
    expect(text.replace(/ \(https:\S+\)/, '')).toMatch(/^(?:- )?Shown$/i)
    expect({ hasHidden, doubts }).toEqual({ hasHidden: false, doubts: [] })
  })
})

test.for([
  `<style>body{color:#fff}</style>${secret}`,
  `<style>html{opacity:0}</style><p>${secret}</p>`,
  `<style>html{opacity:0}</style><body><p>${secret}</p></body>`,
  `<style>html > body > div > p{opacity:0}</style><div><p>${secret}</p></div>`,
  `<style>:root{color:white}</style><html><head></head><body><p>${secret}</p></body></html>`,
])('the elements that every document has count: %s', (html) => {
  const { text, hasHidden } = seen(html)
  expect({ text, hasHidden }).toEqual({ text: '', hasHidden: true })
})

test('text that a style adds is part of the text', () => {
  const read = seen(`<style>p::before{content:"${secret}"}</style><p>Hello</p>`)
  expect(read.text).toContain(secret)
  expect(read.doubts).toEqual(['text that a style adds'])
})

test('links show their real target, and images disappear', () => {
  const html =
    '<p><a href="https://evil.test/x?u=1">https://bank.test</a> <img src="https://t.test/p.gif" alt="pixel">end</p>'
  expect(seen(html).text).toBe('https://bank.test (https://evil.test/x?u=1) end')
})

test('quoted messages are folded, and shown on request', () => {
  const html = '<div>New</div><div class="gmail_quote">On Monday Ann wrote:<blockquote>Old</blockquote></div>'
  expect(seen(html)).toMatchObject({ text: 'New', isFolded: true })
  const whole = seen(html, true)
  expect(whole.isFolded).toBe(false)
  expect(whole.text).toContain('Old')
  expect(seen('New\n\nOn Monday, Ann wrote:\n> Old\n')).toMatchObject({ text: 'New', isFolded: true })
  expect(seen('Only new text')).toMatchObject({ isFolded: false, hasHidden: false })
})

/** Half of it is already beyond the budget. */
const many = (unit: string, count: number): string => unit.repeat(isCheck ? count : count / 2)
test.for([
  `<style>${many('*{color:red}', 20_000)}</style>${many('<i>x', 20_000)}`,
  `<style>${many('* * * * * * q,', 5_000)}q{color:red}</style>${many('<q>', 20_000)}x`,
  `<style>${many('* ~ * ~ * ~ q,', 5_000)}q{color:red}</style>${many('<q>x</q>', 20_000)}`,
  `<style>${many('.a,.b,.c,.d{', 10_000)}</style><p class="a">x`,
  Array.from(
    { length: isCheck ? 20_000 : 10_000 },
    (_, at) => `<i style="margin-left:${at % 50}px;color:#${at}">x</i>`,
  ).join(''),
  // Text in this color is hidden as long as the budget lasts.
  '<div style="color:#fff">'.repeat(40_000),
])('styles beyond the budget are reported, and their text stays (%#)', (html) => {
  const { text, doubts } = seen(`${html}<p>Hello</p>`)
  expect(text).toContain('Hello')
  expect(doubts).toContain('styles that are too long to examine')
})

test('hostile markup ends in time', () => {
  const nested = `${'<div style="color:#fff">'.repeat(2_000)}x`
  expect(seen(nested).text).toBe('')
  expect(seen(`<p>${'<b '.repeat(50_000)}`).text.length).toBeLessThan(200_000)
  expect(seen(`<style>${'.a{'.repeat(20_000)}</style><p>ok</p>`).text).toContain('ok')
})
