/**
 * The marks of the providers' buttons: drawings of our own, which say whose button it is without anybody's logo. A letter or
 * two on a tile for those with a name, a picture of what it is for the others.
 */
import { type Html, html, raw } from './html.ts'

interface Tile {
  letters: string
  /** Degrees on the circle of colours. */
  hue: number
}

/** By kinds of providers and by vendors of mailboxes. */
const tiles: Readonly<Record<string, Tile>> = {
  google: { letters: 'G', hue: 217 },
  microsoft: { letters: 'M', hue: 200 },
  icloud: { letters: 'iC', hue: 208 },
  yahoo: { letters: 'Y', hue: 271 },
  aol: { letters: 'A', hue: 225 },
  verizon: { letters: 'V', hue: 4 },
  fastmail: { letters: 'F', hue: 214 },
  'mailbox.org': { letters: 'm', hue: 96 },
  posteo: { letters: 'P', hue: 140 },
  gmx: { letters: 'Gx', hue: 218 },
  'web.de': { letters: 'W', hue: 46 },
  'mail.ru': { letters: '@', hue: 212 },
  yandex: { letters: 'Y', hue: 8 },
  zoho: { letters: 'Z', hue: 24 },
  qq: { letters: 'Q', hue: 205 },
  '163': { letters: '163', hue: 355 },
  '126': { letters: '126', hue: 160 },
  't-online': { letters: 'T', hue: 328 },
  orange: { letters: 'O', hue: 28 },
  free: { letters: 'f', hue: 358 },
  comcast: { letters: 'C', hue: 262 },
  att: { letters: 'at', hue: 196 },
  ionos: { letters: 'I', hue: 226 },
  godaddy: { letters: 'Go', hue: 174 },
  ovh: { letters: 'O', hue: 236 },
  gandi: { letters: 'G', hue: 130 },
}

/** Pictures for what has no name of its own. */
const pictures: Readonly<Record<string, string>> = {
  // An envelope: mail anywhere.
  imap: '<rect x="4" y="7" width="24" height="18" rx="3"/><path d="m5 9 11 9 11-9"/>',
  // A building: a server of an organization.
  ews: '<path d="M7 27V6.5A1.5 1.5 0 0 1 8.5 5h9A1.5 1.5 0 0 1 19 6.5V27M19 13h5.5a1.5 1.5 0 0 1 1.5 1.5V27M4 27h24M11 10h4M11 15h4M11 20h4M22.5 18v.1M22.5 22v.1"/>',
}

export const hasMark = (name: string): boolean => Object.hasOwn(tiles, name) || Object.hasOwn(pictures, name)

/** The mark of a kind or a vendor; an envelope where none is known. */
export function markOf(name: string): Html {
  const tile = Object.hasOwn(tiles, name) ? tiles[name] : undefined
  if (!tile) {
    const picture = (Object.hasOwn(pictures, name) ? pictures[name] : pictures.imap) ?? ''
    return html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${raw(picture)}</svg>`
  }
  const { letters, hue } = tile
  const size = [19, 15, 11][letters.length - 1] ?? 11
  return html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false"><rect width="32" height="32" rx="8" fill="hsl(${hue} 58% 42%)"/><text x="16" y="16.5" dy=".34em" text-anchor="middle" font-size="${size}" font-weight="700" fill="#fff" direction="ltr">${letters}</text></svg>`
}
