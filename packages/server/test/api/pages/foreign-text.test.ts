/** Foreign text on the pages of account owners: escaped, without invisible characters. */
import { expect, test } from 'vitest'
import { hasUnseen, shownLine, shownText } from '../../../src/api/pages/agents/foreign-text.ts'

test.each([
  ['markup', '<b>"a" & \'b\'</b>', '&lt;b&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/b&gt;'],
  ['line breaks and tabs', 'a\r\nb\rc\n\td', 'a\nb\nc\n\td'],
  ['a direction override', 'a\u202Eb', 'a<span class="code">U+202E</span>b'],
  ['an invisible space', 'a\u200Bb', 'a<span class="code">U+200B</span>b'],
  ['a tag character', 'a\u{E0041}b', 'a<span class="code">U+E0041</span>b'],
  ['a control character', 'a\u0007b', 'a<span class="code">U+0007</span>b'],
  ['a code that the preview has written', 'a[U+202E]b', 'a<span class="code">U+202E</span>b'],
  ['half a character', 'a\uD800b', 'a\uFFFDb'],
  ['an emoji of several characters', '👩\u200D💻', '👩\u200D💻'],
])('%s', (_what, text, shown) => {
  expect(shownText(text).text).toBe(shown)
})

test('a text with characters that are shown as codes is recognized', () => {
  expect(hasUnseen('plain\ntext 👩\u200D💻')).toBe(false)
  expect(hasUnseen('a\u2067b')).toBe(true)
})

test('a name in a heading is one short line without invisible characters', () => {
  expect(shownLine('a\u202Eb\n c ')).toBe('ab c')
  expect(shownLine('x'.repeat(300))).toBe(`${'x'.repeat(200)}…`)
})
