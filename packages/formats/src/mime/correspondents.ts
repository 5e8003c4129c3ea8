/** The people in the header of a message: sender and recipients. */
import { type Address, readAddresses } from './addresses.ts'
import { asBuffer } from './charset.ts'
import { readHeaders } from './headers.ts'

const FIELDS = new Set(['from', 'to', 'cc', 'bcc'])
/** Maximum length of a recipient list that is read. */
const MAX_LIST_LENGTH = 4_000
/** Maximum number of addresses per message. */
const MAX = 100

/** Reads the addresses in some header fields. Throws only MimeLimit. */
export function readCorrespondents(header: Uint8Array): Address[] {
  const text = asBuffer(header).toString('latin1')
  const { headers } = readHeaders(text, { start: 0, end: text.length })
  return headers
    .filter(({ name }) => FIELDS.has(name.toLowerCase()))
    .flatMap(({ value }) => readAddresses(shortened(value)))
    .slice(0, MAX)
}

/** The first part of an address list, without the address that is cut off. */
function shortened(list: string): string {
  if (list.length <= MAX_LIST_LENGTH) return list
  return list.slice(0, Math.max(list.lastIndexOf(',', MAX_LIST_LENGTH), 0))
}
