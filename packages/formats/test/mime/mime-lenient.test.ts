/** Mail that breaks the rules and that mail readers display nevertheless. */
import { describe, expect, test } from 'vitest'
import { parseMessage } from '../../src/mime/mime.ts'
import { bytes, lines, mail, part, parts } from './making-mail.ts'

const headers = lines('From: Ann <ann@example.com>', 'Subject: Hello', 'Content-Type: text/plain')

describe('lines before the first header', () => {
  test.for<[what: string, before: string]>([
    ['an empty line', '\r\n'],
    ['an empty line that ends with LF', '\n'],
    ['several empty lines', '\r\n\r\n\n'],
    ['a line of blanks', ' \t\r\n'],
    ['an indented first header', '  '],
    ['an empty line and an indented first header', '\r\n\t'],
    ['an indented line that continues nothing', '  (a note)\r\n'],
    ['a line of a mailbox file', 'From ann@example.com Mon Jan  1 00:00:00 2024\r\n'],
  ])('do not hide the headers: %s', ([, before]) => {
    const parsed = parseMessage(bytes(before, headers, '\r\nText\r\n'))
    expect(parsed).toMatchObject({ subject: 'Hello', from: [{ email: 'ann@example.com' }], snippet: 'Text' })
  })

  test('are the body if no header follows', () => {
    expect(parseMessage(bytes('\r\nHello: that is all\r\n'))).toMatchObject({ headers: [] })
    expect(parseMessage(bytes('\r\nDear Bob,\r\nhow are you?\r\n')).body).toContain('Dear Bob')
  })

  test('end the headers in a part of a multipart', () => {
    const body = parts('b', bytes('\r\nSubject: this is text\r\n'))
    const parsed = parseMessage(mail(['Content-Type: multipart/mixed; boundary=b'], body))
    expect(parsed.body).toContain('Subject: this is text')
  })

  test('are skipped in an attached message too', () => {
    const inner = bytes('\r\n', headers, '\r\nText\r\n')
    const body = parts(
      'b',
      part(['Content-Type: text/plain'], 'See below'),
      part(['Content-Type: message/rfc822'], inner),
    )
    const parsed = parseMessage(mail(['Content-Type: multipart/mixed; boundary=b'], body))
    expect(parsed.attachments).toMatchObject([{ part: '2', type: 'message/rfc822' }])
  })

  test('take linear time', () => {
    const source = bytes('\r\n'.repeat(400_000), headers, '\r\nText\r\n')
    expect(parseMessage(source).subject).toBe('Hello')
  })
})

describe('the start parameter of multipart/related', () => {
  const picture = part(
    ['Content-Type: image/png', 'Content-ID: <p@x>', 'Content-Transfer-Encoding: base64'],
    'aGVsbG8=',
  )
  const other = part(['Content-Type: text/html', 'Content-ID: <other@x>'], '<p>not this</p>')
  const html = part(['Content-Type: text/html', 'Content-ID: <root@x>'], '<p>shown</p>')
  const named = part(['Content-Type: text/html; name="body.html"', 'Content-ID: <root@x>'], '<p>shown</p>')
  const plain = part(['Content-Type: text/plain', 'Content-ID: <root@x>'], 'shown')
  const related = (start: string, ...all: readonly Uint8Array[]) =>
    parseMessage(mail([`Content-Type: multipart/related; boundary=b; start="${start}"`], parts('b', ...all)))

  test.for<[what: string, start: string, root: Uint8Array]>([
    ['with brackets', '<root@x>', html],
    ['without brackets', 'root@x', html],
    ['with blanks', ' <root@x> ', html],
    ['of plain text', '<root@x>', plain],
    ['of a part with a name', '<root@x>', named],
  ])('selects the displayed part: %s', ([, start, root]) => {
    const parsed = related(start, other, picture, root)
    expect(parsed.body).toContain('shown')
    expect(parsed.body).not.toContain('not this')
    expect(parsed.attachments.map(({ contentId }) => contentId)).toEqual(['<other@x>', '<p@x>'])
  })

  test.for<[what: string, start: string]>([
    ['of a part that is not there', '<nowhere@x>'],
    ['of a part that cannot be shown', '<p@x>'],
    ['that is empty', ''],
  ])('is ignored if it is useless: %s', ([, start]) => {
    expect(related(start, picture, html).body).toContain('shown')
  })
})

describe('text without content or name', () => {
  const file = part(['Content-Type: application/pdf; name=a.pdf', 'Content-Transfer-Encoding: base64'], 'aGVsbG8=')
  const html = part(['Content-Type: text/html'], '<p>shown</p>')
  const empty = (more: readonly string[] = [], content = '') => part(['Content-Type: text/plain', ...more], content)
  const namesIn = (type: string, ...all: readonly Uint8Array[]) =>
    parseMessage(mail([`Content-Type: ${type}; boundary=b`], parts('b', ...all))).attachments.map(
      ({ filename }) => filename,
    )

  test.for<[type: string, part: Uint8Array]>([
    ['multipart/related', empty()],
    ['multipart/related', empty([], '\r\n')],
    ['multipart/related', empty(['Content-Disposition: inline'])],
    ['multipart/mixed', empty()],
    ['multipart/alternative', empty()],
  ])('is not an attachment in %s', ([type, nothing]) => {
    expect(namesIn(type, html, file, nothing)).toEqual(['a.pdf'])
  })

  test('is one if it has a name, or is declared as one', () => {
    const named = empty(['Content-Disposition: attachment; filename=empty.txt'])
    const said = empty(['Content-Disposition: attachment'])
    expect(namesIn('multipart/mixed', html, named, said)).toEqual(['empty.txt', null])
  })
})
