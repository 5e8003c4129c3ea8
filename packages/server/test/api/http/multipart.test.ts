/** Forms as common clients write them, and malformed forms. */

import { ApiError } from '@waypost/platform/api-error'
import { describe, expect, test } from 'vitest'
import { isMultipart, readMultipart } from '../../../src/api/http/multipart.ts'

const type = 'multipart/form-data; boundary=XX'
const read = (text: string, contentType = type) =>
  readMultipart(Buffer.from(text, 'latin1'), contentType).map(({ content, ...part }) => ({
    ...part,
    content: Buffer.from(content).toString('latin1'),
  }))
const utf8 = (text: string): string => Buffer.from(text).toString('latin1')
const part = (disposition: string, content: string, more = ''): string =>
  `--XX\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`
const form = (...parts: string[]): string => `${parts.join('')}--XX--\r\n`

function problem(text: string, contentType?: string): string {
  try {
    read(text, contentType)
  } catch (error) {
    if (error instanceof ApiError) return `${error.status} ${error.message}`
    throw error
  }
  return 'it was taken'
}

test("a form from Node's FormData is read back unchanged", async () => {
  const sent = new FormData()
  const bytes = Uint8Array.from({ length: 512 }, (_, index) => index % 256)
  sent.append('message', JSON.stringify({ subject: 'Grüße, € 5' }))
  sent.append('file0', new Blob([bytes], { type: 'image/png' }), 'a "quoted" näme.png')
  sent.append('logo1', new Blob([]), 'empty.txt')
  const request = new Request('http://x.test', { method: 'POST', body: sent })
  const parts = readMultipart(
    new Uint8Array(await request.clone().arrayBuffer()),
    request.headers.get('content-type') ?? '',
  )
  expect(parts.map(({ name, filename, contentType }) => [name, filename, contentType])).toEqual([
    ['message', undefined, undefined],
    ['file0', 'a "quoted" näme.png', 'image/png'],
    ['logo1', 'empty.txt', 'application/octet-stream'],
  ])
  expect(Buffer.from(parts[0]?.content ?? []).toString()).toBe('{"subject":"Grüße, € 5"}')
  expect(Buffer.from(parts[1]?.content ?? []).equals(bytes)).toBe(true)
  expect(parts[2]?.content).toHaveLength(0)
})

describe('spellings', () => {
  test.for<[string, string, { name: string; filename: string | undefined; contentType?: string }]>([
    ['a field without a type', part('name="message"', 'x'), { name: 'message', filename: undefined }],
    [
      'a field with a type and an empty file name',
      part('name="message"; filename=""', 'x', 'Content-Type: application/json\r\n'),
      { name: 'message', filename: '', contentType: 'application/json' },
    ],
    ['names without quotes', part('name=file0; filename=a.txt', 'x'), { name: 'file0', filename: 'a.txt' }],
    ['the file name first', part('filename="a.txt"; name="f"', 'x'), { name: 'f', filename: 'a.txt' }],
    ['quotes with backslashes', part('name="f"; filename="a\\"b.txt"', 'x'), { name: 'f', filename: 'a"b.txt' }],
    ['quotes in percent', part('name="f"; filename="a%22b%20.txt"', 'x'), { name: 'f', filename: 'a"b%20.txt' }],
    [
      'the path of Windows',
      part('name="f"; filename="C:\\dir\\a.txt"', 'x'),
      { name: 'f', filename: 'C:\\dir\\a.txt' },
    ],
    ['UTF-8 as it is', part(`name="f"; filename="${utf8('é€.txt')}"`, 'x'), { name: 'f', filename: 'é€.txt' }],
    [
      'the long form before the short one',
      part(`name="f"; filename="e.txt"; filename*=UTF-8''%C3%A9%E2%82%AC.txt`, 'x'),
      { name: 'f', filename: 'é€.txt' },
    ],
    [
      'a semicolon in a name',
      part('name="f"; filename="a; name=b.txt"', 'x'),
      { name: 'f', filename: 'a; name=b.txt' },
    ],
    [
      'headers in capitals',
      '--XX\r\nCONTENT-DISPOSITION: form-data; NAME="f"\r\n\r\nx\r\n',
      { name: 'f', filename: undefined },
    ],
    [
      'headers that go on in the next line',
      '--XX\r\nContent-Disposition: form-data;\r\n name="f"\r\n\r\nx\r\n',
      { name: 'f', filename: undefined },
    ],
    [
      'lines that end in LF',
      '--XX\nContent-Disposition: form-data; name="f"\n\nx\n',
      { name: 'f', filename: undefined },
    ],
  ])('%s', ([, text, expected]) => {
    expect(read(form(text))).toEqual([{ contentType: undefined, ...expected, content: 'x' }])
  })

  test('with a preamble, an epilogue, spaces after a boundary and a boundary in quotes are read', () => {
    const text = `words\r\n--X X \t\r\nContent-Disposition: form-data; name="f"\r\n\r\nx\r\n--X X--\r\nmore`
    expect(read(text, 'Multipart/Form-Data; charset=utf-8; boundary="X X"')).toMatchObject([
      { name: 'f', content: 'x' },
    ])
  })

  test('a form without parts is valid', () => {
    expect(read('--XX--')).toEqual([])
    expect(read('--XX--\r\n')).toEqual([])
  })

  test('content that resembles a boundary stays content', () => {
    const content = 'a\r\n--XXY\r\nb--XX\r\n\r\n\n --XX\r\n'
    expect(read(form(part('name="f"', content)))).toMatchObject([{ content }])
  })

  test('content of any length next to a boundary stays complete', () => {
    for (const content of ['', '\r', '\n', '\r\n', '\r\n\r\n', '-', '--', '\0\0']) {
      expect(read(form(part('name="a"', content), part('name="b"', content)))).toMatchObject([{ content }, { content }])
    }
  })
})

describe('broken forms are refused, and the error names the part', () => {
  test.for<[string, string, string | undefined, string]>([
    ['no boundary', 'x', 'multipart/form-data', 'must name a boundary'],
    ['another boundary', part('name="f"', 'x'), 'multipart/form-data; boundary=YY', 'is not in the body'],
    ['no end', part('name="f"', 'x'), undefined, 'the body ends within part 1 (f)'],
    ['no end of the second part', part('name="f"', 'x') + part('name="big"', 'x'), undefined, 'within part 2 (big)'],
    [
      'no empty line',
      form('--XX\r\nContent-Disposition: form-data; name="f"\r\n'),
      undefined,
      'part 1 has no empty line',
    ],
    ['no name', form(part('filename="x"', 'x')), undefined, 'part 1 has no name'],
    ['an empty name', form(part('name=""', 'x')), undefined, 'part 1 has no name'],
    ['no headers', form('--XX\r\n\r\nx\r\n'), undefined, 'part 1 has no name'],
    ['a name that is not UTF-8', form(part('name="\xff"', 'x')), undefined, 'part 1 are not UTF-8'],
    [
      'an encoding',
      form(part('name="f"', 'eA==', 'Content-Transfer-Encoding: base64\r\n')),
      undefined,
      'f: is encoded as base64',
    ],
    [
      'too many parts',
      form(...Array.from({ length: 201 }, () => part('name="f"', 'x'))),
      undefined,
      'more than 200 parts',
    ],
  ])('%s', ([, text, contentType, expected]) => {
    expect(problem(text, contentType)).toContain(expected)
    expect(problem(text, contentType)).toMatch(/^400 /)
  })

  test('a long body of partial boundaries is read in linear time', () => {
    const text = form(part('name="f"', '--XX'.repeat(200_000)))
    expect(read(text)).toMatchObject([{ name: 'f' }])
  })
})

test('the content types of forms are recognized', () => {
  expect(['multipart/form-data; boundary=x', ' Multipart/Form-Data', 'multipart/form-data'].map(isMultipart)).toEqual([
    true,
    true,
    true,
  ])
  expect([null, 'application/json', 'multipart/mixed', 'text/plain; multipart/form-data'].map(isMultipart)).toEqual([
    false,
    false,
    false,
    false,
  ])
})
