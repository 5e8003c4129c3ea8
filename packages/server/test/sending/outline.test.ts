/**
 * The outline of a message, parsed from its bytes, equals what the message was composed from: directly, and from the
 * store.
 */
import { randomUUID } from 'node:crypto'
import { createParsePool, type ParsePool } from '@waypost/platform/parsing/pool'
import { type Outline, withOutline } from '@waypost/providers/mail/outline'
import type { OutgoingDraft, OutgoingMessage } from '@waypost/providers/operations'
import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type ComposeInput, compose, type SendFile } from '../../src/sending/compose/compose.ts'
import { composeRaw } from '../../src/sending/compose/raw.ts'
import { connectMail, openMailService } from '../api/pipeline/mail-provider.ts'
import { account, date, messageId } from './composing.ts'
import { openSendingService } from './fake-mail-server.ts'

const { signal } = new AbortController()
let parse: ParsePool
beforeAll(() => {
  parse = createParsePool({ module: new URL('../../../formats/src/parse-worker.ts', import.meta.url) })
})
afterAll(() => parse[Symbol.asyncDispose]())

/** Words of any script, without characters that a header cannot contain. */
const word = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .map((text) => text.replaceAll(/[\p{Cc}\s]/gu, ''))
  .filter((text) => text !== '')
const words = fc.array(word, { maxLength: 6 }).map((some) => some.join(' '))
const asciiWord = fc.stringMatching(/^[a-z0-9]{1,10}$/)

const people = (prefix: string, minLength = 0) =>
  fc
    .array(fc.record({ name: fc.oneof(fc.constant(undefined), words), host: asciiWord }), { minLength, maxLength: 4 })
    .map((some) =>
      some.map(({ name, host }, index) => ({
        ...(name ? { name } : {}),
        email: `${prefix}${index}@${host}.example.com`,
      })),
    )

type FileUse = 'shown' | 'with an id' | 'plain' | 'inline'
const files = fc.array(
  fc.record({
    use: fc.constantFrom<FileUse>('shown', 'with an id', 'plain', 'inline'),
    name: word,
    end: fc.constantFrom('png', 'pdf', 'txt', 'eml.bin'),
    contentType: fc.constantFrom('image/png', 'application/pdf', 'text/plain; charset=iso-8859-1', 'text/html'),
    content: fc.oneof(
      { weight: 15, arbitrary: fc.uint8Array({ maxLength: 500 }) },
      // More than one chunk of the decoder.
      {
        weight: 1,
        arbitrary: fc.integer({ min: 300_000, max: 700_000 }).map((size) => Buffer.alloc(size, 'Some bytes. ')),
      },
    ),
  }),
  { maxLength: 12 },
)

interface Made {
  input: ComposeInput
  expected: object
  contents: Uint8Array[]
}

const made = fc
  .record({
    to: people('to', 1),
    cc: people('cc'),
    bcc: people('bcc'),
    reply_to: people('reply'),
    subject: words,
    text: words,
    isHtml: fc.boolean(),
    isDraft: fc.boolean(),
    headers: fc.array(fc.record({ name: asciiWord.map((text) => `X-${text}`), value: words }), { maxLength: 3 }),
    parents: fc.array(asciiWord, { maxLength: 4 }),
    files,
  })
  .map((chosen): Made => {
    const idOf = (index: number): string => `file${index}@example.com`
    const given = chosen.files.map(({ use, name, end, contentType, content }, index): SendFile & { use: FileUse } => ({
      use: use === 'shown' && !chosen.isHtml ? 'with an id' : use,
      filename: `${name}.${end}`,
      contentType,
      content,
      inline: use === 'inline',
      ...(use === 'shown' || use === 'with an id' ? { contentId: idOf(index) } : {}),
    }))
    const images = given.map(({ use }, index) => (use === 'shown' ? `<img src="cid:${idOf(index)}">` : ''))
    const text = chosen.text.replaceAll(/[<&]/g, '')
    const body = chosen.isHtml ? `<p>${text}</p>\n${images.join('\n')}` : `${text}\nend`
    const references = [...new Set(chosen.parents)].map((id) => `${id}@example.org`)
    const parent = references.at(-1)
    const { to, cc, bcc, reply_to, subject } = chosen
    const lists = { to, cc, bcc, reply_to }
    // Inline files come first.
    const inOrder = [...given.filter(({ use }) => use === 'shown'), ...given.filter(({ use }) => use !== 'shown')]
    return {
      input: {
        request: { ...lists, subject, body, is_plaintext: !chosen.isHtml, custom_headers: chosen.headers },
        files: given.map(({ use: _, ...file }) => file),
        account,
        messageId,
        date,
        ...(parent === undefined
          ? {}
          : { reply: { messageId: parent, references: references.slice(0, -1), subject: '' } }),
        ...(chosen.isDraft ? { keepBcc: true as const } : {}),
      },
      expected: {
        ...lists,
        from: [{ name: account.name, email: account.email }],
        // A sent message has these only in its envelope.
        bcc: chosen.isDraft ? bcc : bcc.map(({ email }) => ({ email })),
        subject,
        body,
        isHtml: chosen.isHtml,
        references,
        ...(parent === undefined ? {} : { inReplyTo: parent }),
        headers: chosen.headers,
        attachments: inOrder.map(({ use, filename, contentType, contentId, content }) => ({
          filename,
          contentType,
          ...(contentId === undefined ? {} : { contentId }),
          inline: use === 'shown' || use === 'inline',
          size: content.byteLength,
        })),
      },
      contents: inOrder.map(({ content }) => content),
    }
  })

/** The compared parts: everything but access to the bytes. */
const reported = ({ attachments, body, ...rest }: Outline): object => ({
  ...rest,
  // A message of one part ends with a line break, whether its text does or not.
  body: rest.isHtml || attachments.length > 0 ? body : body.replace(/\n$/, ''),
  attachments: attachments.map(({ content: _, ...file }) => file),
})
const contentsOf = ({ attachments }: Outline): Buffer[] =>
  attachments.map(({ content }) => Buffer.concat([...(content() as Iterable<Uint8Array>)]))

function expectOutline(outline: Outline, { expected, contents }: Made): void {
  expect(reported(outline)).toEqual(expected)
  const read = contentsOf(outline)
  expect(read.map((bytes, place) => bytes.equals(contents[place] ?? Buffer.of()))).toEqual(contents.map(() => true))
}

test('equals what a message or a draft was composed from', async () => {
  await fc.assert(
    fc.asyncProperty(made, async (each) => {
      const composed = await compose(each.input)
      const envelope = each.input.keepBcc ? {} : { recipients: composed.recipients }
      expectOutline(await withOutline({ source: composed.source, ...envelope }, { parse, signal }).outline(), each)
    }),
    { numRuns: runs(100) },
  )
})

test('is the same for a message that a client wrote as MIME', async () => {
  const [each] = fc.sample(
    made.filter(({ input, contents }) => !input.keepBcc && contents.length > 3),
    { numRuns: runs(1), seed: 7 },
  )
  if (!each) throw new Error('no sample')
  const { source } = await compose(each.input)
  const bcc = (each.input.request.bcc ?? []).map(({ email }) => `<${email}>`).join(', ')
  const written = Buffer.concat([Buffer.from(bcc === '' ? '' : `Bcc: ${bcc}\r\n`), source])
  const read = async () => ({ body: '', isHtml: false, snippet: '', attachments: [] })
  const raw = await composeRaw({ source: written, account, messageId, date }, read)
  expectOutline(await withOutline(raw, { parse, signal }).outline(), each)
})

test('is parsed once, on first use, with its files from the bytes of the message', async () => {
  const content = Buffer.alloc(1_000_000, 'content')
  const file = { filename: 'a.bin', contentType: 'application/octet-stream', content, inline: false }
  const { source, recipients } = await compose({
    request: { to: [{ email: 'to@example.com' }], body: 'Hello' },
    files: [file],
    account,
    messageId,
    date,
  })
  const run = vi.spyOn(parse, 'run')
  try {
    const message = withOutline({ source, recipients }, { parse, signal })
    expect(run).not.toHaveBeenCalled()
    const [outline, again] = await Promise.all([message.outline(), message.outline()])
    expect(again).toBe(outline)
    expect(run).toHaveBeenCalledTimes(1)
    const pieces = await Array.fromAsync(outline.attachments[0]?.content() ?? [])
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(content.length / 3)
    expect(Buffer.concat(pieces).equals(content)).toBe(true)
  } finally {
    run.mockRestore()
  }
})

test('is refused, and not truncated, if a text is too long', async () => {
  const source = Buffer.from(`From: a@example.com\r\n\r\n${'Eleven million bytes. '.repeat(500_000)}`)
  await expect(withOutline({ source }, { parse, signal }).outline()).rejects.toThrow(/longer than 10 MB/)
})

describe('is given to the provider', () => {
  test('with a message that another node stored before it ended', async () => {
    await using sending = await openSendingService()
    const all = fc.sample(
      made.filter(({ input }) => !input.keepBcc),
      { numRuns: runs(5), seed: 11 },
    )
    const first = await sending.node()
    const expected = new Map<string, Made>()
    for (const each of all) {
      const composed = await compose({ ...each.input, messageId: `${randomUUID()}@example.com` })
      const { messageId: id, from, recipients, source } = composed
      await sending.accept(first, { mail: { messageId: id, from, recipients, source }, scheduleId: randomUUID() })
      expected.set(id, each)
    }
    await sending.endNodes()
    const next = await sending.node()
    next.work()
    await vi.waitFor(() => expect(sending.mailServer.taken).toHaveLength(all.length))
    for (const message of sending.mailServer.taken as OutgoingMessage[]) {
      const each = expected.get(message.messageId)
      if (!each) throw new Error('another message')
      expectOutline(await message.outline(), each)
    }
  })

  test('with a draft that is stored', async () => {
    await using mail = await openMailService()
    const id = await connectMail(mail.service, 'writer@mail.test')
    const to = [{ name: 'Zoë', email: 'zoe@example.com' }]
    const bcc = [{ name: 'Björn', email: 'bjorn@example.com' }]
    const content = Buffer.from('Ünïcödé').toString('base64')
    const attachments = [{ filename: 'nötes.txt', content_type: 'text/plain', content, size: 10 }]
    const body = { to, bcc, subject: 'Plän', body: '<p>Hi</p>', attachments }
    const answer = await mail.service.call('POST', `/v3/grants/${id}/drafts`, { body })
    expect(answer.status).toBe(200)
    const { given: [draft] = [] } = mail.mailbox.calls.find(({ operation }) => operation === 'drafts.create') ?? {}
    const outline = await (draft as OutgoingDraft).outline()
    expect(reported(outline)).toMatchObject({
      ...{ to, bcc, subject: 'Plän', body: '<p>Hi</p>', isHtml: true },
      attachments: [{ filename: 'nötes.txt', contentType: 'text/plain', inline: false, size: 11 }],
    })
    expect(contentsOf(outline).map(String)).toEqual(['Ünïcödé'])
  })
})
