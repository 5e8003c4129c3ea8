// Custom header fields, which clients write and read as extended properties of the set InternetHeaders.
import { setField } from '../../shared/mail/raw-headers.ts'
import { type ExtendedValue, namedKey } from '../store/extended.ts'
import type { MailItem, MessageText } from './content.ts'

const set = namedKey('InternetHeaders', '', '').trim()
const TYPE = ' String'

/** The properties of all fields of a header. */
export function headerProperties({ headers }: MessageText): Map<string, ExtendedValue> {
  return new Map(headers.map(({ name, value }) => [namedKey('InternetHeaders', name, 'String'), value]))
}

/** Copies header fields that were written as properties into the message. */
export function takeHeaderProperties({ content, extended }: MailItem): void {
  for (const [key, value] of extended) {
    if (!key.startsWith(`${set} `) || !key.endsWith(TYPE) || typeof value !== 'string') continue
    const name = key.slice(set.length + 1, -TYPE.length)
    const headers = content.text.headers.filter((header) => header.name.toLowerCase() !== name.toLowerCase())
    content.text = { ...content.text, headers: [...headers, { name, value }] }
    if (content.raw !== undefined) content.raw = setField(content.raw, name, value)
  }
}
