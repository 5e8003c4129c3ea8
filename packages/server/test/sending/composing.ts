/** Composed messages for tests of sending, parsed by two parsers. */

import { parseMessage } from '@waypost/formats/mime/mime'
import { ApiError } from '@waypost/platform/api-error'
import { type ParsedMail, simpleParser } from 'mailparser'
import { type Composed, type ComposeInput, compose, type SendFile } from '../../src/sending/compose/compose.ts'
import type { MessageRequest } from '../../src/sending/message-request.ts'

export const account = { email: 'mira@example.com', name: 'Mira Okafor' }
export const messageId = '0f3b.c2d9a7@mail.example.com'
export const date = new Date('2025-05-12T09:30:00Z')

export type Changes = Partial<Omit<ComposeInput, 'request'>> & { request?: MessageRequest }

export const inputOf = ({ request, ...rest }: Changes = {}): ComposeInput => ({
  request: { to: [{ name: 'Jonas', email: 'jonas@example.org' }], subject: 'Hello', body: '<p>Hi</p>', ...request },
  files: [],
  account,
  messageId,
  date,
  ...rest,
})

export const fileOf = (changes: Partial<SendFile> = {}): SendFile => ({
  filename: 'offer.pdf',
  contentType: 'application/pdf',
  content: Buffer.from('%PDF-1.7 offer'),
  inline: false,
  ...changes,
})

export interface Read {
  composed: Composed
  /** Parsed by mailparser. */
  mail: ParsedMail
  /** Parsed by our own parser. */
  own: ReturnType<typeof parseMessage>
  source: string
  /** Names of the headers, in lower case. */
  names: string[]
  header(name: string): string | undefined
}

export async function read(composed: Composed): Promise<Read> {
  const own = parseMessage(composed.source)
  return {
    composed,
    mail: await simpleParser(composed.source),
    own,
    source: composed.source.toString('latin1'),
    names: own.headers.map(({ name }) => name.toLowerCase()),
    header: (name) => own.headers.find((header) => header.name.toLowerCase() === name.toLowerCase())?.value,
  }
}

export const readComposed = async (changes: Changes = {}): Promise<Read> => read(await compose(inputOf(changes)))

/** The fields that an error names, or what was thrown instead. */
export async function refusedFields(work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ApiError)) return error
    return error.code === 'invalid_request' ? Object.keys(error.details.validationErrors ?? {}) : error.code
  }
  return 'nothing was refused'
}
