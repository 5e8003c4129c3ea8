/** Texts that a client says about itself, made safe to show. Pure. */

/** A name on one line, without characters that hide or reorder others. Undefined if nothing is left. */
export function shownName(text: string | undefined): string | undefined {
  const shown = (text ?? '')
    .normalize('NFC')
    .replace(/\p{C}+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .slice(0, 100)
    .trim()
  return shown === '' ? undefined : shown
}

/** The https URL of a web page; null for anything else. */
export function webPage(text: string | undefined): string | null {
  const url = URL.parse(text ?? '')
  return url?.protocol === 'https:' && url.username === '' && url.href.length <= 500 ? url.href : null
}
