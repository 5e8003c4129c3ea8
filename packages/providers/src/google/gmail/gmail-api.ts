/** The answers of the Gmail API, as far as they are read, and the paths of its objects. */
import { ApiError, invalidField } from '@waypost/platform/api-error'
import {
  digits,
  list,
  number,
  object,
  orElse,
  type Read,
  type Reader,
  text,
  textThat,
} from '@waypost/platform/json/reader'
import {
  orNotFound as findNamed,
  notFound,
  type ObjectKind,
  foundOf as readableOf,
} from '../../shared/named-objects.ts'
import { providerReason, providerStatus } from '../../shared/refusal.ts'
import type { Session } from '../session.ts'

const idForm = /^[\w-]{1,200}$/
export const gmailId = textThat((value) => idForm.test(value), 'id')

const gmailHeader = object({ name: text, value: orElse(text, '') }, {})
export type GmailHeader = Read<typeof gmailHeader>

/** A part of a message; `data` and `attachmentId` give its decoded content. */
const partAlone = object(
  {},
  {
    /** '' for the message itself, '0.1' for the second part of the first. */
    partId: text,
    mimeType: text,
    filename: text,
    headers: list(gmailHeader),
    body: object({}, { size: number, data: text, attachmentId: text }),
    parts: list((value) => value),
  },
)
export interface GmailPart extends Omit<Read<typeof partAlone>, 'parts'> {
  parts?: GmailPart[]
}

/** Reads nested parts without recursion: the sender decides how deep they are nested. */
const gmailPart: Reader<GmailPart> = (value, onDropped) => {
  const waiting = [value]
  while (waiting.length > 0) {
    for (const part of partAlone(waiting.pop(), onDropped).parts ?? []) waiting.push(part)
  }
  return value as GmailPart
}

const messageFields = {
  labelIds: list(text),
  snippet: text,
  /** Milliseconds. */
  internalDate: digits,
  historyId: text,
  sizeEstimate: number,
  payload: gmailPart,
  /** The whole message in base64url. */
  raw: text,
}
export const gmailMessage = object({ id: gmailId, threadId: gmailId }, messageFields)
export type GmailMessage = Read<typeof gmailMessage>

/** A message of which only the id and the labels are requested. */
export const labelledMessage = object({ id: gmailId }, { labelIds: list(text) })

export const gmailThread = object({ id: gmailId }, { messages: list(gmailMessage) })
export type GmailThread = Read<typeof gmailThread>

export const gmailDraft = object({ id: gmailId, message: gmailMessage }, {})
export type GmailDraft = Read<typeof gmailDraft>

export const gmailLabel = object(
  { id: gmailId, name: text },
  {
    /** `system` or `user`. */
    type: text,
    messagesTotal: number,
    messagesUnread: number,
    color: object({}, { textColor: text, backgroundColor: text }),
  },
)
export type GmailLabel = Read<typeof gmailLabel>

export const me = 'users/me'

export const metadataScope = 'https://www.googleapis.com/auth/gmail.metadata'
export const mailScope = 'https://mail.google.com/'

/** Whether the grant may read only headers and labels. */
export const isMetadataOnly = ({ grant }: Session): boolean => grant.scope?.includes(metadataScope) ?? false

/** An id as a part of a path. An id that Gmail cannot have issued is not found. */
export function idPath(what: ObjectKind, id: string): string {
  if (!idForm.test(id)) throw notFound(what)
  return id
}

/** Whether an error means that there is no such object. Gmail calls ids that it never issued invalid. */
export const isMissing = (error: unknown): boolean =>
  providerStatus(error) === 404 ||
  (providerStatus(error) === 400 &&
    error instanceof ApiError &&
    /^Google refused: Invalid (id|\w+ id)/i.test(error.message))

/** Runs a call that names an object. */
export const orNotFound = <T>(what: ObjectKind, work: () => Promise<T>): Promise<T> => findNamed(what, work, isMissing)

/** The results of a batch of listed objects. Objects that were deleted meanwhile or cannot be read are left out. */
export const foundOf = <T>(answers: readonly (T | ApiError)[]): T[] => readableOf(answers, isMissing)

/** Whether Gmail rejected a label. */
export const isInvalidLabel = (error: unknown): boolean =>
  providerStatus(error) === 400 &&
  (providerReason(error) === 'invalidArgument' || providerReason(error) === 'invalid') &&
  error instanceof ApiError &&
  /label/i.test(error.message)

/** The error for a change that names folders which Gmail rejects. */
export const badFolders = (): ApiError =>
  invalidField('folders', 'names what is no folder of this account that messages can be put into: see GET …/folders')

/** The error for a filter that names no folder of the account. */
export const unknownFolder = (): ApiError =>
  invalidField('in', 'is not the id of a folder of this account: see GET …/folders')
