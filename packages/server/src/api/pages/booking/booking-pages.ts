/**
 * The booking pages: `/book/<client id>/<slug>` for guests, and the pages that mails link to (reschedule, cancel,
 * confirm). The server writes the settings into the page; everything else comes from the public scheduling routes.
 */

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { BookingPageData } from '@waypost/contract/booking-page'
import { newToken } from '@waypost/platform/ids'
import { prefixOf } from '../../http/base-path.ts'
import { takesGzip } from '../../http/respond.ts'
import type { LivePage, PageAnswer, PageVisit } from '../../pipeline/page.ts'
import { builtFile, forever, tagged, unbuilt } from '../built-files.ts'
import { chooseLanguage, parseAcceptLanguage, parseUiLocales } from '../hosted/negotiation.ts'
import { type BuiltPages, reportPage, securityHeaders } from '../page-security.ts'
import { type BookingLanguage, bookingDocument, bookingLanguages, english, missingDocument } from './document.ts'
import type { BookingPageSource, OpenedPage } from './page-source.ts'

interface BookingPagesOptions extends BuiltPages {
  source: BookingPageSource
}

type View = BookingPageData['view']

/** The language that a link asks for, otherwise that of the browser. */
const languageOf = ({ query, header }: PageVisit): BookingLanguage =>
  chooseLanguage(
    bookingLanguages,
    [parseUiLocales(query.get('lang') ?? ''), parseAcceptLanguage(header('accept-language') ?? '')],
    english,
  )

const packed = (visit: PageVisit, answer: PageAnswer & { body: string }): PageAnswer => {
  const headers = { ...answer.headers, vary: 'Accept-Language, Accept-Encoding' }
  if (!takesGzip.test(visit.header('accept-encoding') ?? '')) return { ...answer, headers }
  return { ...answer, headers: { ...headers, 'content-encoding': 'gzip' }, body: new Uint8Array(gzipSync(answer.body)) }
}

interface Facts {
  view: View
  prefix: string
  language: BookingLanguage
  isPreview: boolean
}

/** What the script of the page starts with. */
function dataOf({ settings, event, session, booking, embedOrigins }: OpenedPage, facts: Facts): BookingPageData {
  const { view, prefix, language, isPreview } = facts
  return {
    view,
    prefix,
    isPreview,
    settings,
    session,
    booking,
    embedOrigins,
    ...event,
    language: language.tag,
    languages: bookingLanguages.map(({ tag, name }) => ({ tag, name })),
    emailLanguage: language.email,
    texts: language.texts,
  }
}

export function bookingPages(options: BookingPagesOptions): LivePage[] {
  const { dir, baseUrl, source } = options
  const prefix = prefixOf(baseUrl)

  const show = async (visit: PageVisit, view: View, opened: OpenedPage | undefined): Promise<PageAnswer> => {
    const language = languageOf(visit)
    const isPreview = view === 'book' && visit.query.get('preview') === 'yes'
    const nonce = newToken()
    const headers = {
      ...bookingHeaders(baseUrl, {
        nonce,
        isPreview,
        embedOrigins: opened?.embedOrigins ?? [],
        logo: opened?.settings.appearance?.company_logo_url,
      }),
      'content-type': 'text/html; charset=utf-8',
      'content-language': language.tag,
      'cache-control': 'no-store',
    }
    const frame = await readFile(path.join(dir, 'index.html'), 'utf8').catch(() => undefined)
    if (frame === undefined) return { status: 503, headers, body: unbuilt('The booking page is') }
    if (!opened) return packed(visit, { status: 404, headers, body: missingDocument(frame, { language, prefix }) })
    const data = dataOf(opened, { view, prefix, language, isPreview })
    return packed(visit, { status: 200, headers, body: bookingDocument({ frame, language, data, nonce }) })
  }
  const ofBooking = (view: View): LivePage => ({
    path: `/book/${view}/:name`,
    isVisit: true,
    async answer(visit) {
      const needed = view === 'confirm' ? 'organizer' : 'guest'
      return show(visit, view, await source.openBooking(visit, { reference: visit.name, needed }))
    },
  })
  const files = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'cross-origin' }

  return [
    reportPage('/book', options),
    {
      path: '/book/embed.js',
      async answer(visit) {
        const headers = { ...files, 'cache-control': 'public, max-age=3600' }
        const found = await builtFile(dir, 'embed.js', { visit, headers })
        return found && tagged(visit, found)
      },
    },
    {
      path: '/book/assets/:name',
      answer: (visit) =>
        builtFile(path.join(dir, 'assets'), visit.name, { visit, headers: { ...files, 'cache-control': forever } }),
    },
    ...(['reschedule', 'cancel', 'confirm'] as const).map(ofBooking),
    {
      path: '/book/:client/:name',
      isVisit: true,
      answer: async (visit) =>
        show(visit, 'book', await source.openPage(visit, { clientId: visit.params.client ?? '', slug: visit.name })),
    },
  ]
}

/** An origin as a configuration lists it; anything else would change the meaning of the header. */
const isOrigin = (text: string): boolean => /^https?:\/\/[a-z0-9.[\]:-]+$/i.test(text)

interface PolicyOptions {
  nonce: string
  embedOrigins: readonly string[]
  /** Address of the logo. */
  logo: string | undefined
  /** Shown in a frame of the dashboard. */
  isPreview: boolean
}

/** The origin of an image with https; undefined for anything else. */
function imageOrigin(address: string | undefined): string | undefined {
  const url = URL.parse(address ?? '')
  return url?.protocol === 'https:' ? url.origin : undefined
}

function policyOf({ nonce, embedOrigins, logo, isPreview }: PolicyOptions): string[] {
  const origins = embedOrigins.filter(isOrigin)
  const ancestors = isPreview ? "'self'" : origins.length > 0 ? origins.join(' ') : "'none'"
  // A preview shows a logo that is not saved yet.
  const images = isPreview ? 'https:' : (imageOrigin(logo) ?? "'none'")
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src ${images}`,
    "connect-src 'self'",
    `frame-ancestors ${ancestors}`,
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
}

/** Headers of the booking pages: who may contain them, and what they may load. */
function bookingHeaders(baseUrl: string, options: PolicyOptions): Record<string, string> {
  // No referrer: the addresses of booking pages contain references.
  const all = securityHeaders(baseUrl, { policy: policyOf(options), page: '/book' })
  if (!options.isPreview && options.embedOrigins.length === 0) return all
  // Browsers prefer `frame-ancestors`. The older header cannot list origins.
  const { 'x-frame-options': _, ...headers } = all
  // Pages with a strict embedder policy may contain the page as well.
  return { ...headers, 'cross-origin-resource-policy': 'cross-origin' }
}
