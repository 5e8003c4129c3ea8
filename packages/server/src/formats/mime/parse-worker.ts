// What runs in the threads of the parse pool: everything that reads bytes of strangers.
import { type Complaint, readComplaint } from '../dsn/arf.ts'
import { readDelivery } from '../dsn/dsn.ts'
import type { DeliveryReport } from '../dsn/report.ts'
import { clean as cleanBody } from '../html/clean.ts'
import type { CleanOptions } from '../html/clean-lines.ts'
import { type ItipMail, readItipMail, readReplyMail } from '../itip/mail.ts'
import type { AttendeeReply } from '../itip/reading.ts'
import type { Address } from './addresses.ts'
import { select } from './body.ts'
import { readCorrespondents } from './correspondents.ts'
import { type RawStructure, readImapStructure } from './imap-structure.ts'
import { assembleMessage, type MessageParts, type ParsedMessage, type PartNode, parseMessage } from './mime.ts'
import { type MessageOutline, readOutline } from './outline.ts'
import { type Unpacked, unpack, unpackPart } from './unpack.ts'

export interface CleanInput {
  readonly body: string
  readonly isHtml: boolean
  readonly options: CleanOptions
}

/** What is not asked for does not travel: the headers of a page of messages weigh more than the rest of what is told. */
export type LeanMessage = Omit<ParsedMessage, 'headers' | 'messageId' | 'inReplyTo' | 'references'> &
  Partial<Pick<ParsedMessage, 'headers'>> & {
    /** Parts of it were left out: it has more than we read. */
    isShortened?: true
  }

/** What a mail system says of a message that was sent. */
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
/** A message of which the structure is told, by an IMAP server in its own words. */
export function assemble(input: Omit<MessageParts, 'structure'> & Notified & Wish): LeanMessage {
  const { structure, isShortened = false } = input
  const read = 'text' in structure ? readImapStructure(structure) : { root: structure, isShortened }
  if (!read) throw new Error('The structure is none')
  const message = lean(assembleMessage({ ...input, structure: read.root }), input)
  return read.isShortened ? { ...message, isShortened: true } : message
}

interface Notified {
  readonly structure: PartNode | RawStructure
  /** Whoever told it left parts out. */
  readonly isShortened?: boolean
}

/** The parts that make up the text of a message, at most so many, and their sizes; undefined where nothing says so. */
export function textPlan({ structure, most }: { structure: RawStructure; most: number }): TextPlan | undefined {
  const read = readImapStructure(structure)
  if (!read) return undefined
  const shown = select<PartNode>(read.root).body.slice(0, most)
  return { parts: shown.map(({ part }) => part), sizes: shown.map(({ size }) => size) }
}

export interface TextPlan {
  readonly parts: readonly string[]
  readonly sizes: readonly number[]
}
export const clean = ({ body, isHtml, options }: CleanInput): string => cleanBody(body, isHtml, options)
export const report = ({ source }: { readonly source: Uint8Array }): Report | undefined =>
  readComplaint(source) ?? readDelivery(source)
/** The answers to invitations in a mail that are believed. */
export const replies = ({ source }: { readonly source: Uint8Array }): AttendeeReply[] => readReplyMail(source)
/** What a mail says about events of the account that it came to, where its sender is believed. */
export const itip = ({ source }: { readonly source: Uint8Array }): ItipMail | undefined => readItipMail(source)
/** Whom the header of a message names. */
export const correspondents = ({ header }: { readonly header: Uint8Array }): Address[] => readCorrespondents(header)
/** A message taken apart, files and all. */
export const parts = ({ source }: { readonly source: Uint8Array }): Unpacked => unpack(source)
/** The parts that a message was made of, with the places of its files. */
export const outline = ({ source }: { readonly source: Uint8Array }): MessageOutline => readOutline(source)
/** One attachment of a message, with its bytes. */
export const file = ({ source, number }: { readonly source: Uint8Array; readonly number: string }) =>
  unpackPart(source, number)
