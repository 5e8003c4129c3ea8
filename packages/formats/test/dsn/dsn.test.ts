import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDelivery } from '../../src/dsn/dsn.ts'
import type { DeliveryReport } from '../../src/dsn/report.ts'
import { mayBeReport } from '../../src/dsn/suspicion.ts'
import { MimeLimit, parseMessage } from '../../src/mime/mime.ts'
import { delays, ordinary } from './bounce-lookalikes.ts'
import { dsn, original, plain, reports, sentId, texts } from './bounce-samples.ts'
import { givenUp, wordings } from './bounce-wordings.ts'

const read = (source: string): DeliveryReport | undefined => readDelivery(Buffer.from(source))

/** Whether the adapter would parse it, based on the data of every message. */
function isSuspected(source: string): boolean {
  const { from, subject, attachments } = parseMessage(Buffer.from(source))
  return mayBeReport({
    from,
    subject,
    attachments: attachments.map(({ contentType }) => ({ content_type: contentType })),
  })
}

describe.each([
  ['reports', reports],
  ['words', texts],
  ['words, given up', givenUp],
  ['other words', wordings],
])('a bounce in %s', (_, samples) => {
  test.each(samples.map((sample) => [sample.name, sample] as const))('%s', (_name, { source, recipients }) => {
    const report = read(source)
    expect(report?.messageId).toBe(sentId)
    expect(report?.recipients).toMatchObject(
      recipients.map(({ reason, ...known }) => ({
        ...known,
        reason: reason ? expect.stringMatching(reason) : expect.stringMatching(/./),
      })),
    )
    expect(isSuspected(source)).toBe(true)
  })

  test.each(samples.map((sample) => [sample.name, sample] as const))('%s, with bare line feeds', (_name, sample) => {
    expect(read(sample.source.replaceAll('\r\n', '\n'))).toEqual(read(sample.source))
  })
})

test('there are samples of at least 40 kinds', () => {
  expect(new Set([...reports, ...texts].map(({ name }) => name)).size).toBeGreaterThanOrEqual(40)
})

describe('not a bounce', () => {
  test.each(ordinary.map(({ name, source }) => [name, source] as const))('%s', (_name, source) => {
    expect(read(source)).toBeUndefined()
  })

  test.each(delays.map(({ name, source }) => [name, source] as const))(
    'a delay is reported as one: %s',
    (_name, source) => {
      const actions = (read(source)?.recipients ?? []).map(({ action }) => action)
      expect(actions).not.toContain('failed')
    },
  )

  test('most ordinary mail is not even parsed', () => {
    const suspected = ordinary.filter(({ source }) => isSuspected(source)).map(({ name }) => name)
    expect(suspected).not.toContain('a letter')
    expect(suspected).not.toContain('an answer of somebody who is away')
    expect(suspected).not.toContain('a newsletter of a sender without a mailbox')
  })
})

describe('a report', () => {
  test('has an original recipient in addition to the last one', () => {
    const sample = reports.find(({ name }) => name.startsWith('a forwarded address'))
    expect(read(sample?.source ?? '')?.recipients[0]).toMatchObject({
      address: 'gone@elsewhere.example',
      original: 'info@example.org',
    })
  })

  test('prefers the returned message over the one that it replies to', () => {
    const block = 'Final-Recipient: rfc822; a@example.org\nAction: failed\nStatus: 5.1.1'
    expect(read(dsn({ blocks: [block], headers: 'In-Reply-To: <other@example.org>\n' }))?.messageId).toBe(sentId)
  })

  test('never has its own Message-ID as that of the message', () => {
    const block = 'Final-Recipient: rfc822; a@example.org\nAction: failed\nStatus: 5.1.1'
    const source = dsn({ blocks: [block], third: 'Content-Type: text/plain\n\nNothing' })
    expect(read(source)).toMatchObject({ recipients: [{ address: 'a@example.org' }] })
    expect(read(source)?.messageId).toBeUndefined()
  })

  test('has reasons of one line with a limited length', () => {
    const diagnostic = `smtp; 550 5.1.1 a\r\n b\u0007 ${'x'.repeat(5000)}`
    const source = dsn({
      blocks: [`Final-Recipient: rfc822; a@example.org\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: ${diagnostic}`],
    })
    const [recipient] = read(source)?.recipients ?? []
    expect(recipient?.reason).toMatch(/^550 5\.1\.1 a b x+$/)
    expect(recipient?.reason.length).toBe(1000)
  })

  test('has no status codes from numeric addresses', () => {
    const source = plain(
      'Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.com\nSubject: failure notice',
      `<a@example.org>:\nConnected to 5.1.1.7 and 192.5.1.12, which said: user unknown\n\n--- Below this line is a copy of the message.\n\n${original()}`,
    )
    expect(read(source)?.recipients).toMatchObject([{ address: 'a@example.org', status: '5.1.1' }])
    expect(read(source)?.recipients[0]?.code).toBeUndefined()
  })

  test('has a limited number of recipients', () => {
    const blocks = Array.from({ length: 2000 }, (_, i) => `Final-Recipient: rfc822; a${i}@example.org\nAction: failed`)
    const { recipients = [] } = read(dsn({ blocks: blocks.map((block) => `${block}\nStatus: 5.1.1`) })) ?? {}
    expect(recipients.length).toBe(500)
  })
})

describe('for any bytes', () => {
  const harmless = (bytes: Uint8Array): boolean => {
    try {
      const report = readDelivery(bytes)
      return report === undefined || report.recipients.length > 0
    } catch (error) {
      return error instanceof MimeLimit
    }
  }

  test('parsing never throws', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 2000 }), harmless))
  })

  test('samples with parts removed, doubled and mixed up never throw', () => {
    const sources = [...reports, ...texts, ...givenUp, ...wordings].map(({ source }) => source)
    const cut = fc.tuple(
      fc.constantFrom(...sources),
      fc.nat(3000),
      fc.nat(3000),
      fc.constantFrom(...sources),
      fc.string(),
    )
    fc.assert(
      fc.property(cut, ([one, from, to, other, noise]) =>
        harmless(Buffer.from(`${one.slice(0, from)}${noise}${other.slice(to)}${one.slice(to)}`)),
      ),
      { numRuns: runs(500) },
    )
  })

  test.each([
    ['blank lines', '\r\n'.repeat(200_000)],
    ['at signs', '@'.repeat(200_000)],
    ['addresses', 'a@example.org '.repeat(20_000)],
    ['half addresses', 'a@b.'.repeat(50_000)],
    ['codes', '550 5.1.1 '.repeat(20_000)],
    ['words of every kind', 'mailbox message domain host user quota delayed delivery '.repeat(4_000)],
    ['dashes', `${'-'.repeat(100_000)}message${'-'.repeat(100_000)}`],
    ['blanks before a colon', `message-id:${' '.repeat(100_000)}<`],
  ])('repetition does not slow down parsing: %s', (_name, body) => {
    expect(
      harmless(Buffer.from(plain('Return-Path: <>\nFrom: MAILER-DAEMON@a.example\nSubject: failure notice', body))),
    ).toBe(true)
    expect(harmless(Buffer.from(dsn({ blocks: [body] })))).toBe(true)
  })
})
