import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readComplaint } from '../../src/dsn/arf.ts'
import { mayBeReport } from '../../src/dsn/suspicion.ts'
import { MimeLimit } from '../../src/mime/mime.ts'
import { report } from '../../src/parse-worker.ts'
import { ordinary } from './bounce-lookalikes.ts'
import { dsn, original, plain, reports, sentId } from './bounce-samples.ts'

const complaint = (fields: string, third = `Content-Type: message/rfc822\n\n${original()}\n\nText`): string =>
  plain(
    'From: Feedback <fbl@provider.example>\nTo: mira@example.com\nSubject: A complaint\nMIME-Version: 1.0\nContent-Type: multipart/report; report-type=feedback-report; boundary=c',
    `--c\nContent-Type: text/plain\n\nSomebody complained.\n\n--c\nContent-Type: message/feedback-report\n\n${fields}\n\n--c\n${third}\n--c--`,
  )

const read = (source: string) => readComplaint(Buffer.from(source))

describe('a complaint', () => {
  test('has its type, its message and its reporter', () => {
    const source = complaint(
      'Feedback-Type: Abuse\nUser-Agent: Provider/1.0\nVersion: 1\nOriginal-Mail-From: <mira@example.com>\nOriginal-Rcpt-To: <bob@example.org>\nOriginal-Rcpt-To: ann@example.org',
    )
    expect(read(source)).toEqual({
      kind: 'complaint',
      feedbackType: 'abuse',
      messageId: sentId,
      recipients: ['bob@example.org', 'ann@example.org'],
      userAgent: 'Provider/1.0',
    })
    expect(report({ source: Buffer.from(source) })).toEqual(read(source))
  })

  test('may contain only the headers, or name the message in a field', () => {
    expect(read(complaint('Feedback-Type: fraud', `Content-Type: text/rfc822-headers\n\n${original()}`))).toMatchObject(
      {
        feedbackType: 'fraud',
        messageId: sentId,
        recipients: [],
      },
    )
    const named = complaint(
      `Feedback-Type: opt-out\nOriginal-Message-ID: <${sentId}>`,
      'Content-Type: text/plain\n\nNo',
    )
    expect(read(named)).toMatchObject({ feedbackType: 'opt-out', messageId: sentId })
  })

  test("of Microsoft's recipients has the recipient in the message", () => {
    const source = plain(
      'From: staff@hotmail.com\nTo: mira@example.com\nSubject: complaint about message from 192.0.2.7\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=c',
      `--c\nContent-Type: message/rfc822\nContent-Disposition: inline\n\nX-HmXmrOriginalRecipient: <bob@example.org>\n${original()}\n\nText\n--c--`,
    )
    const expected = { feedbackType: 'abuse', messageId: sentId, recipients: ['bob@example.org'] }
    expect(read(source)).toMatchObject(expected)
    expect(mayBeReport({ from: [{ email: 'staff@hotmail.com' }] })).toBe(true)
  })

  test('without its type is not one', () => {
    expect(read(complaint('Version: 1'))).toBeUndefined()
  })
})

test('other mail is not a complaint', () => {
  for (const { source } of [...ordinary, ...reports]) expect(read(source)).toBeUndefined()
  const carried = plain(
    'From: ann@example.org\nSubject: Fwd\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=o',
    `--o\nContent-Type: message/rfc822\n\n${complaint('Feedback-Type: abuse')}\n--o--`,
  )
  expect(read(carried)).toBeUndefined()
})

test('the worker parses complaints and bounces, and nothing else', () => {
  const block = 'Final-Recipient: rfc822; a@example.org\nAction: failed\nStatus: 5.1.1'
  expect(report({ source: Buffer.from(dsn({ blocks: [block] })) })).toMatchObject({ kind: 'delivery' })
  expect(report({ source: Buffer.from(complaint('Feedback-Type: abuse')) })).toMatchObject({ kind: 'complaint' })
  expect(report({ source: Buffer.from('Subject: Hello\r\n\r\nHello') })).toBeUndefined()
})

test('arbitrary bytes never throw', () => {
  const harmless = (bytes: Uint8Array): boolean => {
    try {
      readComplaint(bytes)
      return true
    } catch (error) {
      return error instanceof MimeLimit
    }
  }
  fc.assert(fc.property(fc.uint8Array({ maxLength: 2000 }), harmless))
  const pieces = fc.tuple(fc.nat(800), fc.string(), fc.nat(800))
  const source = complaint('Feedback-Type: abuse')
  fc.assert(
    fc.property(pieces, ([to, noise, from]) =>
      harmless(Buffer.from(`${source.slice(0, to)}${noise}${source.slice(from)}`)),
    ),
  )
})
