/** The functions that run in the threads of the parse pool: everything that parses untrusted bytes. */
import { type Complaint, readComplaint } from './dsn/arf.ts'
import { readDelivery } from './dsn/dsn.ts'
import type { DeliveryReport } from './dsn/report.ts'
import { clean as cleanBody } from './html/clean.ts'
import type { CleanOptions } from './html/clean-lines.ts'
import { type PlainInput, type PlainText, plainText } from './html/plain-text.ts'
import { type ReadableHtml, readableHtml } from './html/readable.ts'
import { type ItipMail, readItipMail, readReplyMail } from './itip/mail.ts'
import type { AttendeeReply } from './itip/reading.ts'
import { type Address, readCorrespondents } from './mime/addresses.ts'
import { select } from './mime/body.ts'
import { type RawStructure, readImapStructure } from './mime/imap-structure.ts'
import { assembleMessage, type MessageParts, type ParsedMessage, type PartNode, parseMessage } from './mime/mime.ts'
import { type MessageOutline, readOutline } from './mime/outline.ts'
import { type Unpacked, unpack, unpackPart } from './mime/unpack.ts'
import { readWhole, type WholeMessage, wholeDigest } from './mime/whole.ts'

export interface CleanInput {
  readonly body: string
  readonly isHtml: boolean
  readonly options: CleanOptions
}

/** Only requested fields are transferred: the headers of a page of messages are larger than everything else. */
export type LeanMessage = Omit<ParsedMessage, 'headers' | 'messageId' | 'inReplyTo' | 'references'> &
  Partial<Pick<ParsedMessage, 'headers'>> & {
    /** Set if the message has more parts than we read. */
    isShortened?: true
  }

/** A mail system's report about a sent message. */
export type Report = DeliveryReport | Complaint

interface Wish {
  readonly headers: boolean
}

function lean(
  { messageId: _, inReplyTo: __, references: ___, headers, ...rest }: ParsedMessage,
  wish: Wish,
): LeanMessage {
  return wish.headers ? { ...rest, headers } : rest
}

export const message = ({ source, ...wish }: { readonly source: Uint8Array } & Wish): LeanMessage =>
  lean(parseMessage(source), wish)
/** A message whose structure an IMAP server described. */
export function assemble(input: Omit<MessageParts, 'structure'> & Notified & Wish): LeanMessage {
  const { structure, isShortened = false } = input
  const read = 'text' in structure ? readImapStructure(structure) : { root: structure, isShortened }
  if (!read) throw new Error('The structure is none')
  const message = lean(assembleMessage({ ...input, structure: read.root }), input)
  return read.isShortened ? { ...message, isShortened: true } : message
}

interface Notified {
  readonly structure: PartNode | RawStructure
  /** Set if the server's description was incomplete. */
  readonly isShortened?: boolean
}

/** The body parts of a message, at most `max`, and their sizes. Undefined if the structure is invalid. */
export function textPlan({ structure, max }: { structure: RawStructure; max: number }): TextPlan | undefined {
  const read = readImapStructure(structure)
  if (!read) return undefined
  const shown = select<PartNode>(read.root).body.slice(0, max)
  return { parts: shown.map(({ part }) => part), sizes: shown.map(({ size }) => size) }
}

export interface TextPlan {
  readonly parts: readonly string[]
  readonly sizes: readonly number[]
}
/** A body as the text that people see. */
export const plain = (input: PlainInput): PlainText => plainText(input)
export const clean = ({ body, isHtml, options }: CleanInput): string => cleanBody(body, isHtml, options)
export const report = ({ source }: { readonly source: Uint8Array }): Report | undefined =>
  readComplaint(source) ?? readDelivery(source)
/** The trustworthy responses to invitations in a message. */
export const replies = ({ source }: { readonly source: Uint8Array }): AttendeeReply[] => readReplyMail(source)
/** What a message says about events of the receiving account, if its sender is trusted. */
export const itip = ({ source }: { readonly source: Uint8Array }): ItipMail | undefined => readItipMail(source)
/** The people in the header of a message. */
export const correspondents = ({ header }: { readonly header: Uint8Array }): Address[] => readCorrespondents(header)
/** A message with all its parts and files. */
export const parts = ({ source }: { readonly source: Uint8Array }): Unpacked => unpack(source)
/** The parts that a message was composed from, with the positions of its files. */
export const outline = ({ source }: { readonly source: Uint8Array }): MessageOutline => readOutline(source)
/** One attachment of a message, with its bytes. */
export const file = ({ source, number }: { readonly source: Uint8Array; readonly number: string }) =>
  unpackPart(source, number)
/** The whole text of HTML that somebody must read before it is sent. */
export const readable = ({ html }: { readonly html: string }): ReadableHtml => readableHtml(html)
/** Everything in a message that somebody must read before it is sent. */
export const whole = ({ source }: { readonly source: Uint8Array }): WholeMessage => readWhole(source)
/** A digest of everything in a message. */
export const digest = ({ source }: { readonly source: Uint8Array }): string => wholeDigest(source)
