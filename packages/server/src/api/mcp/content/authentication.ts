/**
 * What the receiving server found out about the sender of a message (RFC 8601). Everybody can write an
 * Authentication-Results header into a message, so only one counts that the receiving server must have written:
 * - one above the first Received header, which that server wrote itself; or
 * - the topmost one of a provider that removes forged ones, if that provider received the message.
 * Pure.
 */
import type { Header } from '@waypost/contract'
import { z } from 'zod'

const Verdict = z.enum(['pass', 'fail', 'softfail', 'neutral', 'none', 'policy', 'temperror', 'permerror', 'unknown'])
type Verdict = z.output<typeof Verdict>

export const SenderAuthentication = z
  .object({
    spf: Verdict.meta({ description: 'Whether the server was allowed to send for the domain of the envelope' }),
    dkim: Verdict.meta({ description: 'Whether a signature of the message is valid' }),
    dmarc: Verdict.meta({ description: 'Whether the address in `from` is genuine' }),
  })
  .meta({ description: 'Verdicts of the receiving mail server; `unknown` if it wrote none that can be trusted' })
export type SenderAuthentication = z.output<typeof SenderAuthentication>

/** Domains of providers that remove forged results, and the domains of the names under which they write their own. */
const strict: readonly { received: RegExp; server: RegExp }[] = [
  { received: /(?:^|\.)google\.com$/, server: /^mx\.google\.com$/ },
  { received: /(?:^|\.)outlook\.com$/, server: /^$|(?:^|\.)outlook\.com$/ },
  { received: /(?:^|\.)(?:icloud|apple|me)\.com$/, server: /(?:^|\.)icloud\.com$/ },
  { received: /(?:^|\.)yahoo\.com$/, server: /(?:^|\.)yahoo\.com$/ },
]

const unknown: SenderAuthentication = { spf: 'unknown', dkim: 'unknown', dmarc: 'unknown' }
/** Trace headers that are read; a message has fewer. */
const max = 200

export function authenticationOf(headers: readonly Header[] | undefined): SenderAuthentication {
  let isBelow = false
  let receiver: string | undefined
  for (const { name, value } of headers?.slice(0, max) ?? []) {
    const lower = name.toLowerCase()
    if (lower === 'received') {
      isBelow = true
      // Google writes an address in place of a host into the headers between its own servers.
      receiver ??= /\bby\s+([a-z0-9-]+(?:\.[a-z0-9-]+)+)/i.exec(value.slice(0, 1000))?.[1]?.toLowerCase()
    } else if (lower === 'authentication-results') {
      const server = serverOf(value)
      if (!isBelow) return resultsIn(value)
      const known = strict.find(({ received }) => receiver !== undefined && received.test(receiver))
      return known?.server.test(server) ? resultsIn(value) : unknown
    }
  }
  return unknown
}

/** The name of the server that wrote the header. Microsoft writes none. */
const serverOf = (value: string): string =>
  /^\s*([a-z0-9.-]+)(?:\s+\d+)?\s*;/i.exec(withoutComments(value))?.[1]?.toLowerCase() ?? ''

function resultsIn(value: string): SenderAuthentication {
  const text = withoutComments(value)
  return { spf: verdictOf(text, 'spf'), dkim: verdictOf(text, 'dkim'), dmarc: verdictOf(text, 'dmarc') }
}

/** The verdict of a method. Of several signatures, one that passes is enough. */
function verdictOf(text: string, method: string): Verdict {
  const found = Array.from(text.matchAll(new RegExp(`(?:^|;)\\s*${method}\\s*=\\s*([a-z]+)`, 'gi')), ([, word = '']) =>
    word.toLowerCase(),
  )
  const word = method === 'dkim' && found.includes('pass') ? 'pass' : found[0]
  const verdict = Verdict.safeParse(word === 'hardfail' ? 'fail' : word)
  return verdict.success ? verdict.data : 'unknown'
}

/** A header without comments, which may contain text of the sender, and without quoted strings. */
function withoutComments(value: string): string {
  let text = ''
  let depth = 0
  let isQuoted = false
  const source = value.slice(0, 4000).replace(/\r?\n[ \t]+/g, ' ')
  for (let at = 0; at < source.length; at++) {
    const letter = source[at] ?? ''
    if (letter === '\\') at++
    else if (isQuoted) isQuoted = letter !== '"'
    else if (letter === '"' && depth === 0) isQuoted = true
    else if (letter === '(') depth++
    else if (letter === ')') depth = Math.max(0, depth - 1)
    else if (depth === 0) text += letter
  }
  return text
}
