// What runs in the threads of the parse pool: everything that reads bytes of strangers.
import { type Complaint, readComplaint } from './arf.ts'
import { type CleanOptions, clean as cleanBody } from './clean.ts'
import { type DeliveryReport, readDelivery } from './dsn.ts'
import { assembleMessage, type MessageParts, type ParsedMessage, parseMessage } from './mime.ts'
import { type Unpacked, unpack, unpackPart } from './mime-unpack.ts'

export interface CleanInput {
  readonly body: string
  readonly isHtml: boolean
  readonly options: CleanOptions
}

/** What is not asked for does not travel: the headers of a page of messages weigh more than the rest of what is told. */
export type LeanMessage = Omit<ParsedMessage, 'headers' | 'messageId' | 'inReplyTo' | 'references'> &
  Partial<Pick<ParsedMessage, 'headers'>>

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
export const assemble = (input: MessageParts & Wish): LeanMessage => lean(assembleMessage(input), input)
export const clean = ({ body, isHtml, options }: CleanInput): string => cleanBody(body, isHtml, options)
export const report = ({ source }: { readonly source: Uint8Array }): Report | undefined =>
  readComplaint(source) ?? readDelivery(source)
/** A message taken apart, files and all. */
export const parts = ({ source }: { readonly source: Uint8Array }): Unpacked => unpack(source)
/** One attachment of a message, with its bytes. */
export const file = ({ source, number }: { readonly source: Uint8Array; readonly number: string }) =>
  unpackPart(source, number)
