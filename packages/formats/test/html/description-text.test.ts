import { describe, expect, test } from 'vitest'
import { textOfDescription } from '../../src/html/description-text.ts'

describe('the plain text of a description', () => {
  test.each([
    'Bring the floor plan.',
    'One\n\n\n  two: 1 < 2, R&D, AT&T',
    'Ask Ann <ann@example.org> or see <https://example.org/a?b=1&c=2>',
    '',
  ])('is the description itself without markup: %j', (text) => {
    expect(textOfDescription(text)).toBe(text)
  })

  test.each([
    ['<p>Hello <b>Ann</b>,</p><p>see you</p>', 'Hello Ann,\n\nsee you'],
    ['One<br>two<br/>three', 'One\ntwo\nthree'],
    ['<ul><li>first</li><li>second</li></ul>', '- first\n- second'],
    [
      '<div>Join: <a href="https://meet.example.com/abc">the meeting</a></div>',
      'Join: the meeting (https://meet.example.com/abc)',
    ],
    ['<a href="https://example.org/">https://example.org/</a>', 'https://example.org/'],
    ['<html-blob>Agenda:<br><br>a &amp; b&nbsp;c</html-blob>', 'Agenda:\n\na & b c'],
    ['<style>p { color: red }</style><p>Text</p><script>alert(1)</script>', 'Text'],
    ['<div><br></div>', ''],
  ])('has no tags: %j', (html, text) => {
    expect(textOfDescription(html)).toBe(text)
  })

  test('keeps the lines of a text that only emphasizes words', () => {
    expect(textOfDescription('Agenda:\n<b>One</b>\nTwo &amp; three')).toBe('Agenda:\nOne\nTwo & three')
    expect(textOfDescription('Tom &amp; Ann\nJerry')).toBe('Tom & Ann\nJerry')
  })

  test('keeps text in angle brackets that is no tag', () => {
    expect(textOfDescription('<p>Ann <ann@example.org></p>')).toBe('Ann <ann@example.org>')
    expect(textOfDescription('a &amp; b <c>')).toBe('a & b <c>')
  })

  test('is well-formed and at most as long as the first 65,536 characters', () => {
    const long = textOfDescription(`${'a'.repeat(65_535)}😀`)
    expect(long).toHaveLength(65_536)
    expect(long.isWellFormed()).toBe(true)
    expect(textOfDescription(`<p>${'b'.repeat(100_000)}</p>`).length).toBeLessThan(65_536)
  })

  test.each([
    ['deep tags', '<b>'.repeat(30_000)],
    ['open brackets', '<'.repeat(70_000)],
    ['brackets of names', '<a'.repeat(40_000)],
    ['a long name', `<${'a'.repeat(70_000)}`],
    ['ampersands', `<p>${'&'.repeat(70_000)}`],
    ['an open attribute', `<p title="${'<p '.repeat(20_000)}`],
    ['nested lists', '<ul><li>'.repeat(9_000)],
    ['comments', '<p><!--'.repeat(10_000)],
  ])('is found for hostile HTML: %s', (_name, html) => {
    expect(textOfDescription(html).length).toBeLessThanOrEqual(65_536)
  })
})
