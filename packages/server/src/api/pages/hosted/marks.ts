/**
 * Marks of the provider buttons. Google and Microsoft publish rules that allow their logo on a sign-in button: it
 * keeps its colors, and the button has the colors of those rules (style.ts). Apple and Yahoo allow their logos only
 * by agreement, so their buttons have a neutral picture. All other vendors have their initials on a gray tile. See
 * docs/authentication.md, "Logos".
 */
import { type Html, html, raw } from './html.ts'

interface Logo {
  /** Class of the button with the colors in the vendor's rules. */
  brand: string
  viewBox: string
  shapes: string
}

const google: Logo = {
  brand: 'google',
  viewBox: '0 0 48 48',
  shapes: [
    '<path fill="#ea4335" d="M40.06 6.25A24 24 0 0 0 2.56 13.22l7.98 6.19a14.25 14.25 0 0 1 22.67-6.31z"/>',
    '<path fill="#fbbc05" d="M2.56 13.22a24 24 0 0 0 0 21.56l7.98-6.19a14.25 14.25 0 0 1 0-9.18z"/>',
    '<path fill="#34a853" d="M2.56 34.78a24 24 0 0 0 37.33 7.41l-7.73-6a14.4 14.4 0 0 1-21.62-7.6z"/>',
    '<path fill="#4285f4" d="M39.89 42.19A24 24 0 0 0 46.6 20H24v9.02h12.94a11 11 0 0 1-4.78 7.17z"/>',
  ].join(''),
}

const microsoft: Logo = {
  brand: 'microsoft',
  viewBox: '0 0 21 21',
  shapes: [
    '<path fill="#f25022" d="M1 1h9v9H1z"/>',
    '<path fill="#7fba00" d="M11 1h9v9h-9z"/>',
    '<path fill="#00a4ef" d="M1 11h9v9H1z"/>',
    '<path fill="#ffb900" d="M11 11h9v9h-9z"/>',
  ].join(''),
}

/** By provider and mailbox vendor. */
const logos: Readonly<Record<string, Logo>> = { google, microsoft }

const envelope = '<rect x="4" y="7" width="24" height="18" rx="3"/><path d="m5 9 11 9 11-9"/>'

/** Pictures for vendors without a logo and for accounts without a vendor. */
const pictures: Readonly<Record<string, string>> = {
  // An at sign: mail anywhere.
  imap: '<circle cx="16" cy="16" r="4.5"/><path d="M20.5 11.5v6.2a3.2 3.2 0 0 0 6.5 0V16a11 11 0 1 0-4.4 8.8"/>',
  icloud: '<path d="M10 24.5a6 6 0 0 1-.8-11.95 7.5 7.5 0 0 1 14.3 1.3A5.4 5.4 0 0 1 23 24.5z"/>',
  yahoo: envelope,
  // A building: a server of an organization.
  ews: '<path d="M7 27V6.5A1.5 1.5 0 0 1 8.5 5h9A1.5 1.5 0 0 1 19 6.5V27M19 13h5.5a1.5 1.5 0 0 1 1.5 1.5V27M4 27h24M11 10h4M11 15h4M11 20h4M22.5 18v.1M22.5 22v.1"/>',
  // A camera: a service for meetings.
  zoom: '<rect x="4" y="9" width="16" height="14" rx="3"/><path d="M20 14.5l8-4.5v12l-8-4.5z"/>',
}

/** Initials by mailbox vendor. */
const initials: Readonly<Record<string, string>> = {
  aol: 'A',
  verizon: 'V',
  fastmail: 'F',
  'mailbox.org': 'm',
  posteo: 'P',
  gmx: 'Gx',
  'web.de': 'W',
  'mail.ru': '@',
  yandex: 'Y',
  zoho: 'Z',
  qq: 'Q',
  '163': '163',
  '126': '126',
  't-online': 'to',
  orange: 'O',
  free: 'f',
  comcast: 'C',
  att: 'at',
  ionos: 'I',
  godaddy: 'Go',
  ovh: 'O',
  gandi: 'G',
}

const entryOf = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

export const hasMark = (name: string): boolean =>
  [logos, pictures, initials].some((table) => Object.hasOwn(table, name))

/** Class of a button with the colors in the vendor's rules. */
export const brandOf = (name: string): string | undefined => entryOf(logos, name)?.brand

/** The mark of a provider or vendor; an envelope if there is none. */
export function markOf(name: string): Html {
  const logo = entryOf(logos, name)
  if (logo) {
    return html`<svg class="logo" viewBox="${logo.viewBox}" aria-hidden="true" focusable="false">${raw(logo.shapes)}</svg>`
  }
  const letters = entryOf(initials, name)
  if (letters !== undefined) return tileOf(letters)
  const picture = entryOf(pictures, name) ?? envelope
  return html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${raw(picture)}</svg>`
}

function tileOf(letters: string): Html {
  const size = [19, 15, 11][letters.length - 1] ?? 11
  return html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false"><rect width="32" height="32" rx="8" fill="#5a6875"/><text x="16" y="16.5" dy=".34em" text-anchor="middle" font-size="${size}" font-weight="700" fill="#fff" direction="ltr">${letters}</text></svg>`
}
