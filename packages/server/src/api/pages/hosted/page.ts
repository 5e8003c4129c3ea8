/** The frame of every hosted page, and its security headers. */
import type { Branding, HostedAuthentication } from '@waypost/contract'
import type { Scheme } from '@waypost/contract/hosted-colors'
import { newToken } from '@waypost/platform/ids'
import type { PageAnswer } from '../../pipeline/page.ts'
import { type Html, html, raw } from './html.ts'
import type { Language } from './languages.ts'
import type { Reader } from './reader.ts'
import { imageUrl, styleOf } from './style.ts'

/** The application's look of the pages. */
export interface PageAppearance {
  branding: Branding
  hosted: HostedAuthentication
}

export const plainAppearance: PageAppearance = { branding: { name: 'Waypost' }, hosted: {} }

export interface PageContent {
  status?: number
  title: string
  body: Html
  /** URL to which the browser continues automatically. */
  next?: string
  cookie?: string | undefined
  /** Further styles: only text that we wrote ourselves. */
  style?: string
}

/** The same page in other languages. */
export interface Languages {
  all: readonly Language[]
  /** Path of the page in a language. */
  pathIn(tag: string): string
}

const originOf = (url: string): string => new URL(url).origin

/**
 * Content-Security-Policy: the page itself and images of the application, no scripts, and forms only to this service.
 */
const policyOf = (nonce: string, images: readonly string[], isPreview: boolean): string =>
  [
    ...(isPreview ? ['sandbox'] : []),
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `img-src ${images.length > 0 ? [...new Set(images.map(originOf))].join(' ') : "'none'"}`,
    `form-action ${isPreview ? "'none'" : "'self'"}`,
    "base-uri 'none'",
    `frame-ancestors ${isPreview ? "'self'" : "'none'"}`,
  ].join('; ')

/** Headers of every response of the hosted pages. */
export const guards = (requestId: string, cookie?: string): Record<string, string> => ({
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
  'x-request-id': requestId,
  ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
})

/** A link that opens in another tab. */
export const outward = (url: string, label: string): Html =>
  html`<a href="${url}" target="_blank" rel="noopener noreferrer">${label}</a>`

/** Links to the application's own pages, and the language choice, which works without scripts. */
function footOf({ hosted }: PageAppearance, { t, language }: Reader, languages: Languages | undefined): Html | false {
  const { terms_of_service_url: terms, privacy_policy_url: privacy } = hosted
  const choice =
    languages &&
    html`<details class="languages"><summary aria-label="${t('language')}: ${language.name}">${globe}<span>${language.name}</span></summary><ul>${languages.all.map(
      ({ tag, name, direction }) =>
        html`<li><a href="${languages.pathIn(tag)}" lang="${tag}" hreflang="${tag}" dir="${direction}"${tag === language.tag && html` aria-current="true"`}>${name}</a></li>`,
    )}</ul></details>`
  return (
    (choice !== undefined || Boolean(terms || privacy)) &&
    html`
<footer class="small">${choice}<div class="links">${terms && outward(terms, t('terms'))}${privacy && outward(privacy, t('privacy'))}</div></footer>`
  )
}

const globe = raw(
  '<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="1.3"><circle cx="8" cy="8" r="6.5"/><ellipse cx="8" cy="8" rx="2.8" ry="6.5"/><path d="M1.7 6h12.6M1.7 10h12.6"/></svg>',
)

export interface PageOptions {
  languages?: Languages
  /** Shown in a frame of the dashboard; nothing on it is interactive. */
  preview?: { scheme: Scheme }
}

/** Renders a page in the language of its reader. */
export function pageWith(
  appearance: PageAppearance,
  reader: Reader,
  content: PageContent,
  { languages, preview }: PageOptions = {},
): PageAnswer {
  const { branding, hosted } = appearance
  const { language, requestId } = reader
  const nonce = newToken()
  const icon = imageUrl(branding.icon_url)
  const images = [icon, imageUrl(hosted.background_image_url)].filter((url) => url !== undefined)
  const document = html`<!doctype html>
<html lang="${language.tag}" dir="${language.direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${content.title} – ${branding.name}</title>${
    content.next !== undefined && html`<meta http-equiv="refresh" content="0;url=${content.next}">`
  }<style nonce="${nonce}">${raw(styleOf(hosted, preview?.scheme))}${raw(content.style ?? '')}</style></head>
<body${preview && html` inert`}><main>
<div class="app">${icon !== undefined && html`<img src="${icon}" alt="" width="72" height="72">`}<bdi>${branding.name}</bdi></div>
${content.body}${footOf(appearance, reader, languages)}
</main></body></html>`
  const headers = {
    ...guards(requestId, content.cookie),
    'content-type': 'text/html; charset=utf-8',
    'content-language': language.tag,
    vary: 'Accept, Accept-Language, Cookie',
    'content-security-policy': policyOf(nonce, images, preview !== undefined),
    ...(preview ? { 'x-frame-options': 'SAMEORIGIN' } : {}),
  }
  // Browsers do not allow frames to take the focus. Text has no bare angle brackets, so this only matches attributes.
  const body = preview ? document.text.replaceAll(' autofocus>', '>') : document.text
  return { status: content.status ?? 200, headers, body }
}

/** Redirects the browser. */
export const redirectTo = (location: string, requestId: string, cookie?: string): PageAnswer => ({
  status: 302,
  headers: { ...guards(requestId, cookie), location },
  body: null,
})
