// Whom the header of a message names: who it is from, and those it went to.
import { type Address, readAddresses } from './addresses.ts'
import { asBuffer } from './charset.ts'
import { readHeaders } from './headers.ts'

const FIELDS = new Set(['from', 'to', 'cc', 'bcc'])
/** Of a list of recipients at most so much is read. */
const LONGEST_LIST = 4_000
/** And of a message so many addresses. */
const MOST = 100

/** Reads the addresses in some header fields. Throws nothing but MimeLimit. */
export function readCorrespondents(header: Uint8Array): Address[] {
  const text = asBuffer(header).toString('latin1')
  const { headers } = readHeaders(text, { start: 0, end: text.length })
  return headers
    .filter(({ name }) => FIELDS.has(name.toLowerCase()))
    .flatMap(({ value }) => readAddresses(shortened(value)))
    .slice(0, MOST)
}

/** A list of addresses as far as it is read, without the one that is cut off. */
function shortened(list: string): string {
  if (list.length <= LONGEST_LIST) return list
  return list.slice(0, Math.max(list.lastIndexOf(',', LONGEST_LIST), 0))
}
