/**
 * Reads messages, many with one request. Only text parts are read; attachments are not. Content of strangers is
 * parsed in another thread (`io.parse`): a message that cannot be parsed is marked and does not affect the others.
 */

import type { MessageFields } from '@waypost/contract'
import type { PartNode } from '@waypost/formats/mime/mime'
import type { LeanMessage } from '@waypost/formats/parse-worker'
import { ApiError } from '@waypost/platform/api-error'
import { object, text } from '@waypost/platform/json/reader'
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import { parseProblem } from '../../mail/unreadable.ts'
import { isMalformed } from '../../shared/answer.ts'
import { providerStatus } from '../../shared/refusal.ts'
import type { Session } from '../session.ts'
import {
  type GmailHeader,
  type GmailMessage,
  type GmailPart,
  gmailMessage,
  idPath,
  isMetadataOnly,
  isMissing,
  me,
} from './gmail-api.ts'
import {
  bytesOf,
  headerBlock,
  partsById,
  structureOf,
  textParts,
  withinLimits,
  withRealCharset,
} from './mapping/part.ts'

/** The content of a part that is fetched by itself. */
export const attachmentData = object({}, { data: text })

export type Format = 'minimal' | 'metadata' | 'full' | 'raw'

/** The parts of a message that a request needs. */
export interface NeededParts {
  fields: MessageFields
  format: Format
}

export interface Reading {
  message: GmailMessage
  parsed?: LeanMessage & { isWhole: boolean }
  /** As Gmail returns them. */
  headers: readonly GmailHeader[]
  /** Why it could not be parsed. */
  problem?: string
}

/** The headers that are mapped to fields. */
const envelope = ['From', 'To', 'Cc', 'Bcc', 'Reply-To', 'Subject', 'Message-ID', 'In-Reply-To', 'References']
const answered = 'id,threadId,labelIds,internalDate'
/** At most this much of a text part is read. */
const textBytes = 2 * 1024 * 1024
/** Larger messages are not downloaded for their headers alone. */
const headerSource = 1024 * 1024

const asksForHeaders = ({ fields }: NeededParts): boolean =>
  fields === 'include_headers' || fields === 'include_basic_headers'

/** The format that the scopes of the grant allow. */
const allowed = (session: Session, format: Format): Format =>
  format === 'full' && isMetadataOnly(session) ? 'metadata' : format

/** The query parameters for a message. */
export function queryOf(session: Session, wanted: NeededParts): Record<string, string | readonly string[]> {
  const format = allowed(session, wanted.format)
  if (format === 'minimal') return { format, fields: answered }
  if (format === 'raw') return { format, fields: `${answered},raw` }
  const size = asksForHeaders(wanted) ? ',sizeEstimate' : ''
  if (format === 'full') return { format, fields: `${answered}${size},payload` }
  const query = { format, fields: `${answered}${size},payload/headers` }
  return wanted.fields === 'include_headers' ? query : { ...query, metadataHeaders: envelope }
}

/** Reads messages by id. Messages that were deleted meanwhile are left out. */
export async function readMessages(session: Session, ids: readonly string[], wanted: NeededParts): Promise<Reading[]> {
  if (ids.length === 0) return []
  const query = queryOf(session, wanted)
  const calls = ids.map((id) => ({ path: `${me}/messages/${idPath('message', id)}`, query }))
  const answers = await session.batch('gmail', calls, gmailMessage)
  const found = answers.flatMap((answer, place): (GmailMessage | Reading)[] => {
    if (!(answer instanceof ApiError)) return [answer]
    if (isMissing(answer)) return []
    // A message that is too large or malformed is marked; any other failure fails the request.
    const isTooLarge = answer.code === 'provider_refused' && providerStatus(answer) === undefined
    if (!isTooLarge && !isMalformed(answer)) throw answer
    const problem = isTooLarge ? 'it is too large' : "Google's answer is malformed"
    return [{ message: { id: ids[place] ?? '', threadId: '' }, headers: [], problem }]
  })
  return understand(session, found, wanted)
}

/** Reads one message. */
export async function readMessage(session: Session, id: string, wanted: NeededParts): Promise<Reading> {
  const path = `${me}/messages/${idPath('message', id)}`
  const message = await session.call('gmail', 'GET', path, {
    read: gmailMessage,
    query: queryOf(session, wanted),
    maxBytes: wanted.format === 'raw' ? rawBytes : fullBytes,
  })
  const [reading] = await understand(session, [message], wanted)
  return reading ?? { message, headers: [] }
}

/** A message of 50 MB in base64. */
export const rawBytes = 70 * 1024 * 1024
export const fullBytes = 32 * 1024 * 1024

/** Parses messages that Gmail returned. */
export async function understand(
  session: Session,
  found: readonly (GmailMessage | Reading)[],
  wanted: NeededParts,
): Promise<Reading[]> {
  const messages = found.map(
    (each): Reading => ('message' in each ? each : { message: each, headers: each.payload?.headers ?? [] }),
  )
  if (wanted.format === 'raw' || wanted.format === 'minimal') return messages
  const open = messages.filter(({ problem }) => problem === undefined)
  const isWhole = allowed(session, wanted.format) === 'full'
  const inputs = isWhole ? await inputsOf(session, open) : open.map(({ headers }) => headersAlone(headers))
  const outcomes = await session.io.parse.run<unknown, LeanMessage>('assemble', inputs, { signal: session.io.signal })
  const reported = wanted.fields === 'include_headers' ? await headersAsWritten(session, open) : undefined
  const read = new Map(
    open.map((reading, place): [Reading, Reading] => {
      const outcome = outcomes[place]
      const headers = reported?.get(reading.message.id) ?? reading.headers
      if (outcome?.ok && outcome.value.isShortened)
        session.io.setResponseHeader('x-shortened-messages', reading.message.id)
      if (outcome?.ok) return [reading, { ...reading, headers, parsed: { ...outcome.value, isWhole } }]
      return [reading, { ...reading, headers, problem: parseProblem(session, outcome) }]
    }),
  )
  return messages.map((reading) => read.get(reading) ?? reading)
}

const headersAlone = (headers: readonly GmailHeader[]): object => ({
  header: headerBlock(headers),
  structure: structureOf({ mimeType: 'text/plain' }),
  texts: [],
  headers: false,
})

interface Text {
  part: string
  bytes: Uint8Array
}

/** What is to be read of a message. */
interface Plan {
  message: GmailMessage
  structure: PartNode
  isShortened: boolean
  parts: { part: string; body: GmailPart['body'] }[]
}

function planOf(message: GmailMessage): Plan {
  const { root, isShortened } = withinLimits(message.payload ?? {})
  const structure = structureOf(root)
  const parts = partsById(root)
  const texts = textParts(structure).map((part) => ({ part, body: parts.get(part)?.body }))
  return { message, structure, isShortened, parts: texts }
}

/** The input of the parser: the tree and the texts. Texts that Gmail stores separately are fetched. */
async function inputsOf(session: Session, readings: readonly Reading[]): Promise<object[]> {
  const plans: Plan[] = []
  const othersTurn = yieldBetween()
  for (const { message } of readings) {
    plans.push(planOf(message))
    await othersTurn()
  }
  const apart = plans.flatMap(({ message, parts }) =>
    parts.flatMap(({ part, body }) =>
      body?.data === undefined && body?.attachmentId ? [{ id: message.id, part, attachment: body.attachmentId }] : [],
    ),
  )
  const fetched = new Map<string, Uint8Array>()
  const answers = await session.batch(
    'gmail',
    apart.map(({ id, attachment }) => ({
      path: `${me}/messages/${id}/attachments/${encodeURIComponent(attachment)}`,
      query: { fields: 'data' },
    })),
    attachmentData,
  )
  for (const [place, answer] of answers.entries()) {
    const at = apart[place]
    if (at && !(answer instanceof ApiError)) fetched.set(`${at.id} ${at.part}`, bytesOf(answer.data ?? ''))
  }
  return plans.map(({ message, structure, isShortened, parts }) => {
    const texts = parts.flatMap(({ part, body }): Text[] => {
      const bytes = body?.data === undefined ? fetched.get(`${message.id} ${part}`) : bytesOf(body.data)
      return bytes ? [{ part, bytes: bytes.subarray(0, textBytes) }] : []
    })
    return {
      header: headerBlock(message.payload?.headers),
      structure: withRealCharset(structure, texts),
      texts,
      headers: false,
      isShortened,
    }
  })
}

const beyondAscii = /[^\0-\x7f]/

/**
 * Gmail decodes headers. If one contains characters that no header has, the headers are read from the message itself.
 */
async function headersAsWritten(
  session: Session,
  readings: readonly Reading[],
): Promise<Map<string, readonly GmailHeader[]>> {
  const decoded = readings.filter(
    ({ message, headers }) =>
      (message.sizeEstimate ?? 0) <= headerSource && headers.some(({ value }) => beyondAscii.test(value)),
  )
  if (decoded.length === 0 || isMetadataOnly(session)) return new Map()
  const ids = decoded.map(({ message }) => message.id)
  const raws = await readMessages(session, ids, { fields: 'raw_mime', format: 'raw' })
  const inputs = raws.map(({ message }) => ({ source: bytesOf(message.raw ?? ''), headers: true }))
  const outcomes = await session.io.parse.run<unknown, LeanMessage>('message', inputs, { signal: session.io.signal })
  return new Map(
    raws.flatMap(({ message }, place) => {
      const outcome = outcomes[place]
      return outcome?.ok && outcome.value.headers ? [[message.id, outcome.value.headers] as const] : []
    }),
  )
}
