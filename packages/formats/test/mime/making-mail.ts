// Short builders for messages in tests.
import type { DifficultMail } from './difficult-mail.ts'

type Bytes = string | Uint8Array

/** Concatenated parts; texts in Latin-1, so that `\xe9` is one byte. */
export const bytes = (...pieces: readonly Bytes[]): Buffer =>
  Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)))

/** A text of several lines with CRLF. */
export const lines = (...all: readonly string[]): string => all.map((each) => `${each}\r\n`).join('')

const BASIC = ['From: Ann <ann@example.com>', 'To: bob@example.com', 'Message-ID: <1@example.com>', 'MIME-Version: 1.0']

/** A message with common headers, additional ones, and a body. */
export const mail = (headers: readonly string[], ...body: readonly Bytes[]): Buffer =>
  bytes(lines(...BASIC, ...headers, ''), ...body)

/** A multipart body of parts that are given with their headers. */
export const parts = (boundary: string, ...all: readonly Bytes[]): Buffer =>
  bytes(...all.flatMap((part) => [`--${boundary}\r\n`, part, '\r\n']), `--${boundary}--\r\n`)

/** The headers and the content of one part. */
export const part = (headers: readonly string[], ...content: readonly Bytes[]): Buffer =>
  bytes(lines(...headers, ''), ...content)

type Expected = DifficultMail['expected']

export const difficult = (name: string, build: () => Buffer, expected: Expected): DifficultMail =>
  entry(name, build, { expected, wellFormed: false })

export const wellFormed = (name: string, build: () => Buffer, expected: Expected): DifficultMail =>
  entry(name, build, { expected, wellFormed: true })

const entry = (
  name: string,
  build: () => Buffer,
  rest: { expected: Expected; wellFormed: boolean },
): DifficultMail => ({
  name,
  ...rest,
  get source() {
    return build()
  },
})

export const base64Lines = (content: Uint8Array | string): string =>
  Buffer.from(content)
    .toString('base64')
    .replaceAll(/.{1,76}/g, '$&\r\n')
