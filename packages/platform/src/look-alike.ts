/** Names of hosts with letters beyond ASCII, which can look like those of others. */
import { domainToASCII } from 'node:url'

/** What cannot be in the name of a host; also the separators of addresses. */
const BETWEEN = /[^\s<>"'()[\]{},;:/\\@?#&=|`*!]+/gu
const DOTS = /[.\u3002\uff0e\uff61]/

/** Names of hosts have at most 253 characters. */
const MAX_LENGTH = 300

/** Whether a word in a text is read as the name of a host: mail programs make links of these. */
function hostIn(word: string, before: string): string | undefined {
  if (word.length > MAX_LENGTH) return undefined
  const name = word.replace(/[.\u3002\uff0e\uff61]+$/, '')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything in ASCII
  if (!DOTS.test(name) || /^[\x00-\x7f]*$/.test(name)) return undefined
  const isAddress = /(?:@|\/\/)$/.test(before) || name.toLowerCase().startsWith('www.')
  const last = name.split(DOTS).at(-1) ?? ''
  if (!isAddress && !(/^[a-z]{2,24}$/.test(last) && name === name.toLowerCase())) return undefined
  const ascii = domainToASCII(name)
  return ascii.includes('xn--') ? ascii : undefined
}

/** A text in which the names of such hosts are followed by the form that networks use. */
export function withAsciiHosts(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything in ASCII
  if (/^[\x00-\x7f]*$/.test(text)) return text
  return text.replace(BETWEEN, (word, at: number) => {
    const ascii = hostIn(word, text.slice(Math.max(at - 2, 0), at))
    // The target of a link already says it.
    const isSaid = ascii !== undefined && text.slice(at, at + 3_000).includes(`[opens ${ascii}`)
    return ascii === undefined || isSaid ? word : `${word} [${ascii}]`
  })
}
