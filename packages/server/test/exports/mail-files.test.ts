/** Mail as mbox and zip files, read by Python. */

import { fromLine } from '@waypost/formats/mbox/mbox'
import { writeZip } from '@waypost/formats/zip/zip'
import { isCheck } from '@waypost/testing/level'
import { beforeAll, describe, expect, test } from 'vitest'
import { emlName, mboxOf, zipOf } from '../../src/exports/mail-files.ts'
import type { ReadMessage } from '../../src/exports/message-reading.ts'
import { mboxMessages, zipEntries } from './readers.ts'

const at = 1_790_000_000
const messageOf = (id: string, source: string | Buffer, from = 'ann@people.test'): ReadMessage => ({
  item: { id, date: at, from: [{ email: from }], folders: ['INBOX'], unread: true },
  source: Buffer.from(source as string),
})
const skippedOf = (id: string): ReadMessage => ({
  item: { id, date: at },
  skipped: { type: 'provider_refused', message: 'it is\r\nFrom broken' },
})
const all = async (parts: AsyncIterable<Uint8Array>): Promise<Buffer> => Buffer.concat(await Array.fromAsync(parts))
async function* listOf<T>(...items: T[]): AsyncGenerator<T> {
  yield* items
}

/** Messages that try to break out of the file. */
const hostile: Record<string, string | Buffer> = {
  'From-lines': 'Subject: a\r\n\r\nHi\r\n\r\nFrom eve@evil.test Thu Jan  1 00:00:00 1970\r\nSubject: b\r\n\r\nbye\r\n',
  'quoted From-lines': 'Subject: a\r\n\r\n>From me\r\n>>>From you\r\n> From nobody\r\nFromage\r\n',
  'a From-line first': 'From eve@evil.test Thu Jan  1 00:00:00 1970\r\nSubject: a\r\n\r\nx\r\n',
  'NUL and bytes of no character set': Buffer.from('Subject: a\r\n\r\n\0\xff\xfe\0\r\n', 'latin1'),
  'a huge header': `Subject: ${'x'.repeat(300_000)}\r\n\r\nbody\r\n`,
  'a huge line of >': `Subject: a\r\n\r\n${'>'.repeat(200_000)}From x\r\n`,
  'no line end': 'Subject: a\r\n\r\nlast',
  'only LF': 'Subject: a\n\nFrom x\nlast\n',
  nothing: '',
}

/** The same message as a stream, in pieces of sizes that cut lines, line ends and quoted lines anywhere. */
function streamed(message: ReadMessage, sizes: readonly number[]): ReadMessage {
  if (!('source' in message) || !(message.source instanceof Uint8Array)) throw new Error('a message of bytes')
  const bytes = message.source
  let at = 0
  let place = 0
  const source = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      const end = at + (sizes[place++ % sizes.length] ?? 1)
      controller.enqueue(bytes.subarray(at, end))
      at = end
    },
  })
  return { item: message.item, source }
}

const messages = Object.entries(hostile).map(([id, source]) => messageOf(id, source))
const whole = () => listOf(...messages)
let inZip: Map<string, Buffer>
beforeAll(async () => {
  inZip = zipEntries(await all(zipOf(whole())))
})

describe.for([[[1_000, 1, 3]], [[65_537]], [[70_000, 2, 5, 131_072]], [[400_000]]] as const)(
  'a message that is read as a stream in pieces of %j',
  ([sizes]) => {
    const streams = () => listOf(...messages.map((message) => streamed(message, sizes)))

    test('has the same bytes in an mbox file as a message in memory', async () => {
      expect((await all(mboxOf(streams()))).equals(await all(mboxOf(whole())))).toBe(true)
    })

    test('has the same content in a zip, with its checksum and sizes', async () => {
      expect(zipEntries(await all(zipOf(streams())))).toEqual(inZip)
    })
  },
)

test('a file that is not read to its end cancels the stream of its message', async () => {
  for (const write of [mboxOf, zipOf]) {
    const cancelled = Promise.withResolvers<void>()
    const letter = Buffer.from('Subject: a\r\n\r\nA line without end. '.repeat(10_000))
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(letter),
      cancel: () => cancelled.resolve(),
    })
    let parts = 0
    for await (const _ of write(listOf({ item: { id: 'endless', date: at }, source }))) if (++parts > 3) break
    await cancelled.promise
    expect(parts).toBe(4)
  }
})

describe('an mbox file', () => {
  test('keeps every hostile message as one message', async () => {
    const before = messageOf('before', 'Subject: before\r\n\r\nx\r\n')
    const messages = Object.values(hostile).flatMap((source) => [before, messageOf('hostile', source)])
    const read = mboxMessages(await all(mboxOf(listOf(...messages, before))))
    expect(read).toHaveLength(messages.length + 1)
    for (const [place, [name, source]] of Object.entries(hostile).entries()) {
      expect(read[place * 2]?.subject).toBe('before')
      const lf = Buffer.from(
        Buffer.from(source as string)
          .toString('latin1')
          .replaceAll('\r\n', '\n'),
        'latin1',
      )
      const ended = lf.length === 0 || lf.at(-1) === 10 ? lf : Buffer.concat([lf, Buffer.from('\n')])
      expect(read[place * 2 + 1]?.source.equals(ended), name).toBe(true)
    }
  })

  test('has the sender and date, without spaces or line breaks in its separator lines', () => {
    expect(fromLine({ from: 'ann@people.test', at })).toBe('From ann@people.test Mon Sep 21 14:13:20 2026\n')
    for (const from of ['ann smith@x.test', 'a\nFrom b', 'ü@x.test', '', undefined]) {
      expect(fromLine({ from, at: 86_400 * 4 })).toBe('From MAILER-DAEMON Mon Jan  5 00:00:00 1970\n')
    }
    for (const wrong of [Number.NaN, 1e300, -5e12]) {
      expect(fromLine({ at: wrong })).toBe('From MAILER-DAEMON Thu Jan  1 00:00:00 1970\n')
    }
  })

  test('has a notice in place of a message that cannot be read', async () => {
    const [notice, after, ...more] = mboxMessages(
      await all(mboxOf(listOf(skippedOf('<a b>'), messageOf('2', 'Subject: x\r\n\r\n')))),
    )
    expect(more).toEqual([])
    expect([notice?.skipped, after?.skipped]).toEqual(['%3Ca%20b%3E', null])
    expect(String(notice?.source)).toContain('provider_refused: it is From broken')
  })
})

describe('a zip file', () => {
  test('has the exact bytes of every message, and a line about each', async () => {
    const sources = Object.values(hostile)
    // Providers list more fields than asked for, without content.
    const messages = sources.map((source, place) => {
      const message = messageOf(`../../${place}\0/etc/passwd`, source)
      return { ...message, item: { ...message.item, subject: '', to: [] } }
    })
    const entries = zipEntries(await all(zipOf(listOf(...messages, skippedOf('gone')))))
    const lines = String(entries.get('index.ndjson'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toHaveLength(sources.length + 1)
    for (const [place, source] of sources.entries()) {
      const id = `../../${place}\0/etc/passwd`
      const file = expect.any(String)
      expect(lines[place]).toEqual({ id, date: at, folders: ['INBOX'], unread: true, file })
      expect(entries.get(lines[place].file)?.equals(Buffer.from(source as string))).toBe(true)
    }
    expect(lines.at(-1)).toMatchObject({ id: 'gone', error: { type: 'provider_refused' } })
    for (const name of entries.keys()) expect(name).toMatch(/^[\w-][\w.-]*$/)
    expect(emlName({ id: 'a', date: at })).not.toBe(emlName({ id: 'b', date: at }))
  })

  test.for(['../x', '/x', 'a/b', 'a\\b', '.hidden', '', 'C:x', 'a\0b', 'é', 'x'.repeat(300)])(
    'refuses the entry name %j',
    async (name) => {
      await expect(all(writeZip(listOf({ name, at, content: Buffer.alloc(0) })))).rejects.toThrow(RangeError)
    },
  )

  // More than 65,535 need the form for large files.
  test.each(isCheck ? [0, 70_000] : [0, 70])('with %i entries can be read', async (count) => {
    const content = Buffer.from('x')
    const many = Array.from({ length: count }, (_, place) => ({ name: `e${place}`, at, content }))
    expect(zipEntries(await all(writeZip(listOf(...many)))).size).toBe(count)
  })
})
