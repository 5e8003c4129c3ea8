import { createRequire } from 'node:module'
import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import parser from 'imapflow/lib/handler/imap-parser.js'
import { formatMessageResponse } from 'imapflow/lib/tools.js'
import { describe, expect, test } from 'vitest'
import { checkedVersion } from '../../src/imap/client/internals.ts'
import { readFetch, readPlain } from '../../src/imap/client/response-parser.ts'

const response = (text: string, ...literals: string[]) => ({
  payload: Buffer.from(text, 'latin1'),
  literals: literals.map((literal) => Buffer.from(literal, 'latin1')),
})

type Response = ReturnType<typeof response>

/** imapflow's result for the same response. */
const parsed = ({ payload, literals }: Response) => parser(payload, { literals })
async function formatted(answer: Response) {
  const folder = { path: 'INBOX', uidValidity: 1n }
  const {
    id: _,
    flagColor: __,
    bodyStructure: ___,
    ...message
  } = await formatMessageResponse((await parsed(answer)) as never, folder as never)
  return message
}

test('imapflow has the version with which its private parts were checked (docs/adr/0020)', () => {
  const { version } = createRequire(import.meta.url)('imapflow/package.json')
  expect(version).toBe(checkedVersion)
})

describe('a FETCH response', () => {
  test('is parsed like imapflow parses it', async () => {
    const answer = response(
      '* 12 FETCH (UID 34 FLAGS (\\Seen $Label) INTERNALDATE " 7-Jul-2026 02:44:25 -0700" RFC822.SIZE 4286 MODSEQ (624140003) BODY[HEADER.FIELDS (MESSAGE-ID DATE)] {9}\r\n BODY[] {3}\r\n)',
      'a: b\r\n\r\n.',
      'abc',
    )
    const message = readFetch(answer)
    expect(message).toEqual(await formatted(answer))
    expect(message).toMatchObject({ seq: 12, uid: 34, size: 4286, modseq: 624140003n, source: Buffer.from('abc') })
  })

  test('may have quoted strings with any bytes', () => {
    expect(readFetch(response('* 1 FETCH (UID 2 BODY[] "\xe4 b")'))?.source).toEqual(Buffer.from('\xe4 b', 'latin1'))
  })

  const item = fc.oneof(
    fc.nat({ max: 99_999 }).map((uid) => [`UID ${uid}`]),
    fc.subarray(['\\Seen', '\\Flagged', 'Junk', '$Forwarded']).map((flags) => [`FLAGS (${flags.join(' ')})`]),
    fc.constantFrom('"17-Jul-1996 02:44:25 -0700"', '"nonsense"', 'NIL').map((date) => [`INTERNALDATE ${date}`]),
    fc.constantFrom('12', 'NIL', '"12"', '(12)').map((size) => [`RFC822.SIZE ${size}`]),
    fc.constantFrom('(5)', '(5 6)', '5', 'NIL').map((count) => [`MODSEQ ${count}`]),
    fc
      .tuple(fc.constantFrom('BODY[]', 'body[HEADER]', 'BODY[1]', 'BODY[HEADER.FIELDS (DATE "x")]'), fc.string())
      .map(([name, text]) => [`${name} {${Buffer.from(text, 'latin1').length}}\r\n`, text]),
    fc.constantFrom('BODY[] "plain"', 'BODY[] "quo\\"ted"', 'BODY[] NIL', 'BODY[]<0> "part"').map((text) => [text]),
    fc
      .constantFrom('X-GM-MSGID 12', 'EMAILID (M1)', 'BODYSTRUCTURE ("TEXT" "PLAIN" NIL NIL NIL "7BIT" 1 1)')
      .map((text) => [text]),
  )

  test('is parsed like imapflow parses it, or left to imapflow, whatever it contains', async () => {
    const answers = fc.array(item, { minLength: 1, maxLength: 6 }).map((items) => {
      const text = items.map(([text]) => text).join(' ')
      return response(`* 3 FETCH (${text})`, ...items.flatMap(([, literal]) => literal ?? []))
    })
    let read = 0
    await fc.assert(
      fc.asyncProperty(answers, async (answer) => {
        const found = readFetch(answer)
        if (found === undefined) return
        read++
        const { structure: _, ...message } = found
        expect(message).toEqual(await formatted(answer))
      }),
      { numRuns: runs(500) },
    )
    expect(read).toBeGreaterThan(runs(20))
  })

  test.each([
    ['of no message', '* 3 FETCH (FLAGS ())'],
    ['that is cut off', '* 3 FETCH (UID 3 FLAGS ()'],
    ['with something behind it', '* 3 FETCH (UID 3) OK'],
    ['with a literal that is missing', '* 3 FETCH (UID 3 BODY[] {3}\r\n)'],
    ['that is none', '* 3 EXISTS'],
    ['that is the end of a command', 'A1 OK FETCH (UID 3)'],
  ])('%s is left to imapflow', (_, text) => expect(readFetch(response(text))).toBeUndefined())

  test('with a literal of the wrong length is left to imapflow', () => {
    expect(readFetch(response('* 3 FETCH (UID 3 BODY[] {3}\r\n)', 'ab'))).toBeUndefined()
  })

  test('that is malicious is parsed in time', () => {
    const long = '('.repeat(200_000)
    for (const text of [
      `* 1 FETCH (UID 2 FLAGS ${long}`,
      `* 1 FETCH (UID 2 BODY[${long}`,
      `* LIST ${long}`,
      `* SEARCH${' '.repeat(200_000)}x"`,
    ]) {
      expect([readFetch(response(text)), readPlain(response(text))]).toEqual([undefined, undefined])
    }
  })
})

describe('a long response', () => {
  const keywords = Array.from({ length: 10_000 }, (_, at) => `"Keyword ${at}"`).join(' ')

  test('is parsed for the necessary parts, whatever else it contains', () => {
    const envelope = `ENVELOPE (NIL NIL (${'("P" NIL "p" "example.com")'.repeat(10_000)}) NIL NIL NIL NIL NIL NIL NIL)`
    const message = readFetch(response(`* 1 FETCH (UID 2 FLAGS (${keywords} \\Seen) ${envelope} RFC822.SIZE 7)`))
    expect(message).toEqual({ seq: 1, uid: 2, flags: new Set(['\\Seen']), size: 7 })
  })

  test('returns its structure as received with all literals, or not at all', () => {
    const part = '("TEXT" "PLAIN" ("NAME" {3}\r\n) NIL NIL "7BIT" 1 1)'
    const few = readFetch(
      response(`* 1 FETCH (UID 2 BODYSTRUCTURE (${part}${part} "MIXED") RFC822.SIZE 7)`, 'a.b', 'c(d'),
    )
    expect(few?.structure?.text.toString()).toBe(`(${part}${part} "MIXED")`)
    expect(few?.structure?.literals.map(String)).toEqual(['a.b', 'c(d'])
    const many = readFetch(
      response(`* 1 FETCH (UID 2 BODYSTRUCTURE (${'("TEXT" "PLAIN" NIL)'.repeat(100_000)} "MIXED"))`),
    )
    expect(many).toEqual({ seq: 1, uid: 2 })
  })

  test('returns the first header field of each name, long ones shortened', () => {
    const ids = Array.from({ length: 40_000 }, (_, at) => `<${at}@example.com>`).join('\r\n ')
    const header = `References: ${ids}\r\nSubject: first\r\n${'Subject: other\r\n'.repeat(10_000)}\r\n`
    const found = readFetch(response(`* 1 FETCH (UID 2 BODY[HEADER.FIELDS (A)] {${header.length}}\r\n)`, header))
    const retained = String(found?.headers)
    expect(retained.length).toBeLessThan(10_000)
    expect(retained).toContain('References: <0@example.com>\r\n <1@example.com>')
    expect(retained).toContain('<39999@example.com>\r\nSubject: first\r\n\r\n')
  })
})

describe('numbers of a SEARCH response', () => {
  test.each([
    ['* SEARCH', [[]]],
    ['* SEARCH 2 84 882', [[2, 84, 882]]],
    ['* THREAD (2)(3 6 (4 23)(44 7 96))', [[2], [3, 6, 4, 23, 44, 7, 96]]],
  ])('%s', (text, numbers) => {
    const found = readPlain(response(text))?.attributes as { numbers: Uint32Array }[]
    expect(found.map(({ numbers }) => [...numbers])).toEqual(numbers)
  })

  test.each(['* SEARCH 1 x', '* SEARCH 99999999999', '* THREAD (1', '* THREAD (1))', '* SEARCH 2 (MODSEQ 9)'])(
    'of any other form are left to imapflow: %s',
    (text) => expect(readPlain(response(text))).toBeUndefined(),
  )
})

describe('LIST, STATUS, SEARCH and THREAD responses', () => {
  test.each([
    '* LIST (\\HasNoChildren \\Sent) "/" "Sent Items"',
    '* LIST () NIL INBOX',
    '* list (\\Noselect) "." "a \\"b\\" \\\\ c"',
    '* LIST (\\Subscribed) "/" Work ("CHILDINFO" ("SUBSCRIBED"))',
    '* STATUS "Sent Items" (MESSAGES 231 UIDNEXT 44292 UNSEEN 0 HIGHESTMODSEQ 7)',
    '* STATUS INBOX (MESSAGES 231 )',
  ])('is read as imapflow reads it: %s', async (text) => {
    const plain = readPlain(response(text))
    const { tag, command = '', attributes = [] } = await parsed(response(text))
    expect(plain).toEqual({ tag, command: command.toUpperCase(), attributes })
  })

  test.each([
    ['with a literal', response('* LIST () "/" {3}\r\n', 'abc')],
    ['in letters beyond ASCII', response('* LIST () "/" "\xc3\xa4"')],
    ['with brackets that are not closed', response('* LIST (() "/" a')],
    ['with brackets that close nothing', response('* LIST ()) "/" a')],
    ['with a quote that is not closed', response('* LIST () "/" "a')],
    ['of another kind', response('* CAPABILITY IMAP4rev1')],
    ['that begins like one', response('* LISTING a')],
  ])('%s is left to imapflow', (_, answer) => expect(readPlain(answer)).toBeUndefined())
})
