// Which addresses a text of a mail system is about. It names others too: who wrote the message, whom to ask for help, the
// recipients of whom it says nothing. Those that failed stand mostly alone on their line, with the reason around them.

export interface Place {
  address: string
  /** Where it stands in the text; -1 where only a header names it. */
  at: number
}

const ADDRESS = /(?:^|[\s<("'«:（;=])([^\s<>()"'«»:,;=（）]{1,100}@[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+)/gu
/** What stands before an address that the text below it is about: next to nothing, on its line. */
const LEADING =
  /^[\s>*•|-]*(?:[45]\d\d[ -](?:[45]\.\d+\.\d+ )?)?(?:(?:rcpt )?(?:to|recipient|recipient address|(?:failed|intended|original|final) recipient|address|unknown user|user unknown|(?:mail|delivery) failed(?: \d+ attempts)?|undeliverable(?: to)?|an|à|a|para|收件人\S*|宛先)\s*[:：(（]?\s*)?[<"']?$/iu
const MAX_LEAD = 120
/** What stands above a list of those that failed; the addresses before it are those of the message. */
const LIST_HEAD =
  /\b(?:did not reach|was not delivered to|could not be (?:delivered|sent) to|delivery (?:to|has failed to)|failed to (?:reach|deliver to))\b[^\n]{0,60}\b(?:recipient|address|person|people|group)[^\n]{0,40}[:.]?[ \t]*\n|\b(?:failed|undeliverable) (?:recipient|addresse?)s?\b[^\n]{0,30}:|^[ \t]*was not delivered to:/gimu

export interface People {
  /** Who wrote the report, who it is for, and who the message was for, in lower case. */
  readonly author: readonly string[]
  readonly reader: readonly string[]
  readonly recipients: readonly string[]
}

/** The addresses that a text is about, in order, each once. */
export function addressesIn(told: string, { author, reader, recipients }: People): Place[] {
  const all = belowHead(told, findAddresses(told, new Set(author)))
  const self = new Set(reader)
  // Whoever the report is for is named in many of them; only who wrote to themselves is also the one who failed.
  const others = all.filter(({ address }) => !self.has(address.toLowerCase()))
  const some = others.length > 0 ? others : all
  const leading = some.filter(({ isLeading }) => isLeading)
  if (leading.length > 0) return leading
  const sentTo = new Set(recipients)
  const known = some.filter(({ address }) => sentTo.has(address.toLowerCase()))
  return known.length > 0 ? known : some.slice(0, 1)
}

interface Found extends Place {
  isLeading: boolean
}

function belowHead(told: string, found: Found[]): Found[] {
  const head = [...told.matchAll(LIST_HEAD)].at(0)
  if (head === undefined) return found
  const below = found.filter(({ at }) => at > head.index)
  return below.length > 0 ? below : found
}

function findAddresses(told: string, without: ReadonlySet<string>): Found[] {
  const places: Found[] = []
  const known = new Map<string, Found>()
  for (const match of told.matchAll(ADDRESS)) {
    const [whole, written = ''] = match
    const address = written.replace(/[.…]+$/, '')
    const key = address.toLowerCase()
    if (without.has(key) || !/@[^@]+\.[^@]+$/.test(address)) continue
    const at = match.index + whole.length - written.length
    const isLeading = LEADING.test(lineBefore(told, at))
    const before = known.get(key)
    // Named in passing first: what counts is where it stands alone.
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

/** What stands before a place on its line, as far as it matters. */
function lineBefore(told: string, at: number): string {
  const before = told.slice(Math.max(0, at - MAX_LEAD), at)
  return before.slice(before.lastIndexOf('\n') + 1)
}

/** What the text says of one address: from its line on, up to the line of the next one. */
export function passageOf(told: string, { address, at }: Place, next = -1): string {
  const from = at === -1 ? told.toLowerCase().indexOf(address.toLowerCase()) : at
  if (from === -1) return ''
  const line = told.lastIndexOf('\n', from - 1) + 1
  const end = from + address.length
  const lineOfNext = told.lastIndexOf('\n', next - 1)
  const until = next <= end ? undefined : lineOfNext > end ? lineOfNext : next
  return `${told.slice(line, from)}${told.slice(end, until)}`
}
