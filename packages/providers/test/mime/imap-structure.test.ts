import { readImapStructure } from '@waypost/formats/mime/imap-structure'
import { assemble, textPlan } from '@waypost/formats/parse-worker'
import { expect, test } from 'vitest'
import { fromPart } from '../../src/mail/attachments.ts'

const raw = (text: string, ...literals: string[]) => ({
  text: Buffer.from(text, 'latin1'),
  literals: literals.map((literal) => Buffer.from(literal, 'latin1')),
})

const text = '("TEXT" "PLAIN" ("CHARSET" "utf-8") NIL NIL "7BIT" 5 1 NIL NIL NIL NIL)'
const file =
  '("APPLICATION" "PDF" ("NAME" {5}\r\n) "<id@x>" NIL "BASE64" 780 NIL ("ATTACHMENT" ("FILENAME*0*" "utf-8\'\'na%C3%AFve" "FILENAME*1" " \\"b\\".pdf")) NIL NIL)'

test("a structure is the tree of its parts, with the server's part numbers", () => {
  const found = readImapStructure(
    raw(`((${text}${text} "ALTERNATIVE" ("BOUNDARY" "x"))${file} "MIXED" NIL NIL)`, 'a.pdf'),
  )
  expect(found?.isShortened).toBe(false)
  const { root } = found ?? {}
  expect(root).toMatchObject({
    part: '',
    type: 'multipart/mixed',
    children: [
      {
        part: '1',
        type: 'multipart/alternative',
        parameters: { boundary: 'x' },
        children: [{ part: '1.1' }, { part: '1.2', type: 'text/plain', size: 5 }],
      },
      {
        part: '2',
        type: 'application/pdf',
        disposition: 'attachment',
        filename: 'na\u00efve "b".pdf',
        contentId: '<id@x>',
        encoding: 'base64',
        size: 570,
        isEstimated: true,
      },
    ],
  })
  expect(root?.children?.[1]?.parameters.name).toBe('a.pdf')
})

test.each([
  // Dovecot's answer for "Content-Type: text".
  ['("text" "" ("charset" "us-ascii") NIL NIL "7bit" 7 1 NIL NIL NIL NIL)', 'text/plain'],
  ['("TEXT" NIL ("NAME" "a.csv") NIL NIL "7BIT" 7 1 NIL NIL NIL NIL)', 'text/plain'],
  ['("" "" NIL NIL NIL "7bit" 5 NIL NIL NIL NIL)', 'text/plain'],
  ['("foo" "" ("NAME" "a.bin") NIL NIL "7bit" 5 NIL NIL NIL NIL)', 'application/octet-stream'],
  [`(${'("TEXT" "PLAIN" NIL NIL NIL "7BIT" 5 1)'} "" NIL NIL)`, 'multipart/mixed'],
])('a part without a subtype has a type: %s', (text, type) => {
  const root = readImapStructure(raw(text))?.root
  expect(root?.type).toBe(type)
  expect(root?.contentType.split(';')[0]).toBe(type)
})

test.each(['()', '(NIL NIL)', '(("TEXT" "PLAIN"', 'NIL'])('%s is no structure', (text) => {
  expect(readImapStructure(raw(text))).toBeUndefined()
})

test.each([
  ['7BIT', 90],
  ['8bit', 90],
  ['BINARY', 90],
  ['BASE64', undefined],
  ['QUOTED-PRINTABLE', undefined],
  ['X-UUENCODE', undefined],
])('the size of an attachment in %s is exact or missing', (encoding, size) => {
  const part = `("APPLICATION" "PDF" NIL NIL NIL "${encoding}" 90 NIL ("ATTACHMENT" NIL) NIL NIL)`
  const structure = raw(`(${text}${part} "MIXED")`)
  const { attachments } = assemble({ header: Buffer.from('\r\n'), structure, texts: [], headers: false })
  expect(attachments.map((each) => fromPart(each, 'g').size)).toEqual([size])
})

test('a message of one part, and a message within a message, are one part', () => {
  expect(readImapStructure(raw(text))?.root).toMatchObject({ part: '1', contentType: 'text/plain; charset=utf-8' })
  const inner = `("MESSAGE" "RFC822" NIL NIL NIL "7BIT" 90 ("d" "s" (("n" NIL "m" "h")) NIL NIL NIL NIL NIL NIL NIL) (${text}${file} "MIXED") 9 NIL ("INLINE" NIL))`
  const found = readImapStructure(raw(`(${text}${inner} "MIXED")`, 'a.pdf'))?.root.children?.[1]
  expect(found).toMatchObject({ part: '2', type: 'message/rfc822', size: 90, disposition: 'inline' })
  expect(found).not.toHaveProperty('children')
})

test.each(['NIL', '(NIL NIL)', '()', '', '(("TEXT" "PLAIN"', '("TEXT" "PLA'])(
  'an invalid structure is not parsed: %s',
  (text) => {
    expect(readImapStructure(raw(text))).toBeUndefined()
  },
)

test('with too many or too deep parts, the first are kept and the omission is reported', () => {
  const wide = raw(`(${text.repeat(9_000)} "MIXED")`)
  const found = readImapStructure(wide)
  expect(found).toMatchObject({ isShortened: true, root: { type: 'multipart/mixed' } })
  expect(found?.root.children).toHaveLength(999)
  expect(textPlan({ structure: wide, max: 50 })?.parts).toHaveLength(50)
  const header = Buffer.from('Subject: many\r\n\r\n')
  const texts = [{ part: '1', bytes: Buffer.from('first') }]
  const message = assemble({ header, structure: wide, texts, headers: false })
  expect(message).toMatchObject({ subject: 'many', body: 'first', isShortened: true })
  const depth = 100_000
  const deep = readImapStructure(raw(`${'('.repeat(depth)}${text}${' "MIXED")'.repeat(depth)}`))
  expect(deep).toMatchObject({ isShortened: true, root: { type: 'multipart/mixed' } })
})
