/**
 * The names of sent messages: some servers give what is sent another Message-ID than it was handed over with, and it is theirs
 * that answers and reports name. The one of ours stands in a header of the copy in the account's sent mail.
 */
import { readMessageIds } from '../../formats/mime/addresses.ts'

/** Carries the Message-ID that a message was sent under here. */
export const ownName = 'X-Waypost-Message-ID'

/** The name that a message was sent under here, without brackets, by its headers. */
export const sentUnder = (headers: readonly { name: string; value?: string | undefined }[]): string | undefined =>
  readMessageIds(headers.find(({ name }) => name.toLowerCase() === ownName.toLowerCase())?.value ?? '')[0]

/** A message with the header that carries its name. */
export const withOwnName = (source: Uint8Array, messageId: string): Buffer =>
  Buffer.concat([Buffer.from(`${ownName}: <${messageId}>\r\n`), source])
