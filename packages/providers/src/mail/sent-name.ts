/**
 * The original Message-IDs of sent messages. Some servers replace the Message-ID, and replies and reports refer to
 * the new one. A header of the copy in the sent folder has the original.
 */
import { readMessageIds } from '@waypost/formats/mime/addresses'

/** Contains the Message-ID under which the message was sent. */
export const ownName = 'X-Waypost-Message-ID'

/** The original Message-ID without angle brackets, from the headers. */
export const sentUnder = (headers: readonly { name: string; value?: string | undefined }[]): string | undefined =>
  readMessageIds(headers.find(({ name }) => name.toLowerCase() === ownName.toLowerCase())?.value ?? '')[0]

/** Adds the header with the original Message-ID. */
export const withOwnName = (source: Uint8Array, messageId: string): Buffer =>
  Buffer.concat([Buffer.from(`${ownName}: <${messageId}>\r\n`), source])
