/**
 * Finds the addresses that failed in a bounce text. The text also names others: the author of the message, a support
 * contact, recipients without a problem. The failed ones are usually alone on their line, with the reason around
 * them.
 */

export interface Place {
  address: string
  /** The position in the text; -1 if only a header names the address. */
  at: number
}

const ADDRESS = /(?:^|[\s<("'«:（;=])([^\s<>()"'«»:,;=（）]{1,100}@[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+)/gu
/** The text that may precede an address at the beginning of a passage about it: almost nothing on the same line. */
const LEADING =
  /^[\s>*•|-]*(?:[45]\d\d[ -](?:[45]\.\d+\.\d+ )?)?(?:(?:rcpt )?(?:to|recipient|recipient address|(?:failed|intended|original|final) recipient|address|unknown user|user unknown|(?:mail|delivery) failed(?: \d+ attempts)?|undeliverable(?: to)?|an|à|a|para|收件人\S*|宛先)\s*[:：(（]?\s*)?[<"']?$/iu
const MAX_LEAD = 120
/** The heading of a list of failed addresses; addresses before it belong to the message. */
const LIST_HEAD =
  /\b(?:did not reach|was not delivered to|could not be (?:delivered|sent) to|delivery (?:to|has failed to)|failed to (?:reach|deliver to))\b[^\n]{0,60}\b(?:recipient|address|person|people|group)[^\n]{0,40}[:.]?[ \t]*\n|\b(?:failed|undeliverable) (?:recipient|addresse?)s?\b[^\n]{0,30}:|^[ \t]*was not delivered to:/gimu

export interface People {
  /** The report's author, its recipient, and the recipients of the original message, in lower case. */
  readonly author: readonly string[]
  readonly reader: readonly string[]
  readonly recipients: readonly string[]
}

/** The addresses that a text reports about, in order, without duplicates. */
export function addressesIn(reported: string, { author, reader, recipients }: People): Place[] {
  const all = belowHead(reported, findAddresses(reported, new Set(author)))
  const self = new Set(reader)
  // Many reports name their own recipient. That address failed only if the sender wrote to themselves.
  const others = all.filter(({ address }) => !self.has(address.toLowerCase()))
  const some = others.length > 0 ? others : all
  const leading = some.filter(({ isLeading }) => isLeading)
  if (leading.length > 0) return leading
  const sentTo = new Set(recipients)
  const known = some.filter(({ address }) => sentTo.has(address.toLowerCase()))
  return known.length > 0 ? known : some.slice(0, 1)
}

interface AddressPlace extends Place {
  isLeading: boolean
}

function belowHead(reported: string, found: AddressPlace[]): AddressPlace[] {
  const head = [...reported.matchAll(LIST_HEAD)].at(0)
  if (head === undefined) return found
  const below = found.filter(({ at }) => at > head.index)
  return below.length > 0 ? below : found
}

function findAddresses(reported: string, without: ReadonlySet<string>): AddressPlace[] {
  const places: AddressPlace[] = []
  const known = new Map<string, AddressPlace>()
  for (const match of reported.matchAll(ADDRESS)) {
    const [whole, written = ''] = match
    const address = written.replace(/(?<![.…])[.…]+$/, '')
    const key = address.toLowerCase()
    if (without.has(key) || !/@[^@]+\.[^@]+$/.test(address)) continue
    const at = match.index + whole.length - written.length
    const isLeading = LEADING.test(lineBefore(reported, at))
    const before = known.get(key)
    // The address was first mentioned in passing; the position where it is alone on its line counts.
    if (before !== undefined) {
      if (isLeading && !before.isLeading) Object.assign(before, { at, isLeading })
      continue
    }
    const place = { address, at, isLeading }
    known.set(key, place)
    places.push(place)
  }
  return places.sort((a, b) => a.at - b.at)
}

/** The text before a position on its line, up to the length that matters. */
function lineBefore(reported: string, at: number): string {
  const before = reported.slice(Math.max(0, at - MAX_LEAD), at)
  return before.slice(before.lastIndexOf('\n') + 1)
}

/** The passage about one address: from its line to the line of the next address. */
export function passageOf(reported: string, { address, at }: Place, next = -1): string {
  const from = at === -1 ? reported.toLowerCase().indexOf(address.toLowerCase()) : at
  if (from === -1) return ''
  const line = reported.lastIndexOf('\n', from - 1) + 1
  const end = from + address.length
  const lineOfNext = reported.lastIndexOf('\n', next - 1)
  const until = next <= end ? undefined : lineOfNext > end ? lineOfNext : next
  return `${reported.slice(line, from)}${reported.slice(end, until)}`
}
