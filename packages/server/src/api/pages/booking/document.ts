/**
 * The HTML of a booking page: title, colors, a first view for the time until the script runs, and the data of the page.
 * The frame with the names of the built files comes from the build (`packages/booking-page/index.html`).
 */
import type { EmailLanguage } from '@waypost/contract'
import type { BookingPageData } from '@waypost/contract/booking-page'
import { colorsOf, hexOf, parseColor } from '@waypost/contract/hosted-colors'
import { type BookingPageTexts, bookingPageLanguages } from '@waypost/texts/booking-pages'
import type { PageLanguage } from '@waypost/texts/languages'
import { languageOf } from '../../../booking/mail/mail-times.ts'
import { type Html, html, raw } from '../hosted/html.ts'

export interface BookingLanguage extends PageLanguage<BookingPageTexts> {
  /** The language of mails: mails have fewer languages than the pages. */
  email: EmailLanguage
}

/** In the order in which they are offered. */
export const bookingLanguages: readonly BookingLanguage[] = bookingPageLanguages.map((each) => ({
  ...each,
  email: languageOf(each.tag),
}))

export const [english] = bookingLanguages

/** Fills the placeholders of a text; values are plain text, and the template escapes the result. */
const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

/** Variables of the style sheet for the color of a configuration; empty without a valid color. */
export function colorVariables(color: string | undefined): string {
  if (parseColor(color) === undefined) return ''
  const [light, dark] = [colorsOf({ color_primary: color }, 'light'), colorsOf({ color_primary: color }, 'dark')]
  const both = (part: 'fill' | 'onFill' | 'link'): string => `light-dark(${hexOf(light[part])},${hexOf(dark[part])})`
  // The style sheet has the same variables; a second `:root` makes these stronger.
  return `:root:root{--fill:${both('fill')};--on-fill:${both('onFill')};--link:${both('link')}}`
}

/** JSON that is safe inside of a script element: it cannot end the element or begin a comment. */
const embedded = (value: unknown): Html => raw(JSON.stringify(value).replaceAll('<', '\\u003c'))

interface Parts {
  language: BookingLanguage
  head: Html
  body: Html
  /** The path of the service on its host. */
  prefix: string
}

/** Puts a page into the built frame. */
function framed(frame: string, { language, head, body, prefix }: Parts): string {
  return frame
    .replace('<html lang="en">', `<html lang="${language.tag}">`)
    .replace('<!--head-->', () => head.text)
    .replace('<!--body-->', () => body.text)
    .replaceAll('="/book/assets/', `="${prefix}/book/assets/`)
}

export interface BookingDocument {
  frame: string
  language: BookingLanguage
  data: BookingPageData
  nonce: string
}

/** The page before its script runs, and all of it without scripts. */
const firstView = ({ settings, texts }: BookingPageData): Html =>
  html`<div id="app"><main><div class="card"><header class="summary"><p>${settings.organizer.name}</p><h1>${settings.name}</h1><noscript><p>${texts.noscript}</p></noscript></header></div></main></div>`

export function bookingDocument({ frame, language, data, nonce }: BookingDocument): string {
  const { settings, texts, view } = data
  const titles = { book: settings.name, reschedule: texts.reschedule_title, cancel: texts.cancel_title }
  const title = view === 'confirm' ? texts.confirm_title : titles[view]
  const description = filled(texts.description, { name: settings.name })
  // Pages of single bookings are nobody else's business.
  const robots = view === 'book' ? '' : html`<meta name="robots" content="noindex, nofollow">`
  const colors = colorVariables(settings.appearance?.color)
  const head = html`<title>${title}${view !== 'book' && ` – ${settings.name}`}</title>
    <meta name="description" content="${description}">
    <meta property="og:title" content="${title}">
    <meta property="og:description" content="${description}">${robots}${
      colors !== '' && html`<style nonce="${nonce}">${raw(colors)}</style>`
    }`
  const body = html`${firstView(data)}
    <script type="application/json" id="data">${embedded(data)}</script>`
  return framed(frame, { language, head, body, prefix: data.prefix })
}

/** The page for a link that leads nowhere. */
export function missingDocument(
  frame: string,
  { language, prefix }: { language: BookingLanguage; prefix: string },
): string {
  const { missing_title: title, missing_text: text } = language.texts
  const head = html`<title>${title}</title><meta name="robots" content="noindex, nofollow">`
  const body = html`<div id="app"><main><div class="card single"><h1>${title}</h1><p class="lead">${text}</p></div></main></div>`
  return framed(frame, { language, head, body, prefix })
}
