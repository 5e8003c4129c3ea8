// Lists of addresses in headers (RFC 5322 §3.4). Names are decoded after the list is taken apart, so that an encoded word
// never makes an address.
import addressparser from 'nodemailer/lib/addressparser'
import { decodeWords } from './mime-words.ts'

export interface Address {
  readonly name?: string
  readonly email: string
}

/** One plain entry of a list: a quoted or bare name before an address in brackets, or an address alone. */
const ENTRY =
  /(?:[ \t]*"([^"\\]*)"[ \t]*|([^"(),:;<>@[\]\\]*))(?:<([^\s"(),:;<>@[\]\\]+@[^\s"(),:;<>@[\]\\]+)>|(@[^\s"(),:;<>@[\]\\]+))[ \t]*(?:,|$)/y

const WORD = /^[^\s"(),:;<>[\]\\]{1,254}$/

/** The addresses of a header, members of groups among the others; groups without members and names alone leave nothing. */
export function readAddresses(value: string): Address[] {
  const plain = readPlain(value)
  if (plain !== undefined) return plain
  return addressparser(value, { flatten: true }).flatMap(({ name, address }) => {
    if (address !== '') return [addressOf(name, address)]
    // Such as `MAILER-DAEMON`, or an address that was encoded as if it were a name.
    const alone = decodeWords(name).trim()
    return WORD.test(alone) ? [{ email: alone }] : []
  })
}

/** Most lists have no comments, groups or escapes, and are read faster; undefined for all others. */
function readPlain(value: string): Address[] | undefined {
  const addresses: Address[] = []
  ENTRY.lastIndex = 0
  while (ENTRY.lastIndex < value.length) {
    const entry = ENTRY.exec(value)
    if (entry === null) return undefined
    const [, quoted, bare = '', email, domain] = entry
    if (email !== undefined) addresses.push(addressOf(quoted ?? bare, email))
    else {
      const local = bare.trim()
      if (local === '' || /\s/.test(local)) return undefined
      addresses.push({ email: `${local}${domain}` })
    }
  }
  return addresses
}

function addressOf(name: string, email: string): Address {
  const decoded = decodeWords(name)
    .replaceAll(/[\s\0]+/g, ' ')
    .trim()
  return decoded === '' ? { email } : { name: decoded, email }
}

/** The ids of a Message-ID, In-Reply-To or References header, without their brackets. */
export function readMessageIds(value: string): string[] {
  const ids: string[] = []
  let open = value.indexOf('<')
  if (open === -1) return value.split(/[\s,]+/).filter((id) => id.includes('@'))
  while (open !== -1) {
    const close = value.indexOf('>', open)
    if (close === -1) break
    const begin = value.lastIndexOf('<', close) + 1
    const id = value.slice(begin, close).replaceAll(/\s+/g, '')
    if (id !== '') ids.push(id)
    open = value.indexOf('<', close)
  }
  return ids
}
