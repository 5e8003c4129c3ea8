/** Shows text written by other people safely. */

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

/** Returns the text content of possible HTML without letting the browser parse it. */
export function plainText(text: string): string {
  if (!/<\/?[a-z][^>]*>/i.test(text)) return text
  return text
    .replaceAll(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replaceAll(/<br\s*\/?>|<\/(p|div|li|tr|h[1-6])\s*>/gi, '\n')
    .replaceAll(/<\/?[a-z][^>]*>/gi, '')
    .replaceAll(/&(#\d+|[a-z]+);/gi, (whole, name: string) =>
      name.startsWith('#')
        ? String.fromCodePoint(Math.min(Number(name.slice(1)), 0x10ffff))
        : (entities[name] ?? whole),
    )
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** Returns http and https URLs only; anything else stays plain text. */
export function webAddress(text: string): string | undefined {
  try {
    const { protocol, href } = new URL(text)
    return protocol === 'https:' || protocol === 'http:' ? href : undefined
  } catch {
    return undefined
  }
}

/** Controls and characters without a shape, except line breaks, tabs, and the joiners that scripts and emoji need. */
const invisible = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}]/gu

/** Shows characters that nobody sees as code points, so that no text can imitate another or hide something. */
export const visibleText = (text: string): string =>
  text.replace(invisible, (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
