/** The frame of every hosted page, and the headers that keep it from being abused. */
import type { Branding, HostedAuthentication } from '@waypost/contract'
import { newId, newToken } from '../../../lib/ids.ts'
import type { PageAnswer } from '../page.ts'
import { type Html, html, raw } from './html.ts'
import { imageUrl, styleOf } from './style.ts'

/** How an application wants its pages to look. */
export interface Look {
  branding: Branding
  hosted: HostedAuthentication
}

export const plainLook: Look = { branding: { name: 'Waypost' }, hosted: {} }

export interface PageContent {
  status?: number
  title: string
  body: Html
  /** Where the browser goes on by itself. */
  next?: string
  cookie?: string | undefined
}

const originOf = (url: string): string => new URL(url).origin

/** What pages may do: show themselves, and images of the application; run nothing, and send forms to us alone. */
const policyOf = (nonce: string, images: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `img-src ${images.length > 0 ? [...new Set(images.map(originOf))].join(' ') : "'none'"}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** What every answer of the hosted pages carries. */
export const guards = (cookie?: string): Record<string, string> => ({
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
  'x-request-id': newId(),
  ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
})

/** A page as it is answered. */
export function pageWith({ branding, hosted }: Look, content: PageContent): PageAnswer {
  const nonce = newToken()
  const icon = imageUrl(branding.icon_url)
  const images = [icon, imageUrl(hosted.background_image_url)].filter((url) => url !== undefined)
  const { terms_of_service_url: terms, privacy_policy_url: privacy } = hosted
  const outward = (url: string, label: string): Html =>
    html`<a href="${url}" target="_blank" rel="noopener noreferrer">${label}</a>`
  const document = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${content.title} – ${branding.name}</title>${
    content.next !== undefined && html`<meta http-equiv="refresh" content="0;url=${content.next}">`
  }<style nonce="${nonce}">${raw(styleOf(hosted))}</style></head>
<body><main>
<div class="app">${icon !== undefined && html`<img src="${icon}" alt="" width="72" height="72">`}<span>${branding.name}</span></div>
${content.body}${
  (terms || privacy) &&
  html`
<footer class="links small">${terms && outward(terms, 'Terms of service')}${privacy && outward(privacy, 'Privacy policy')}</footer>`
}
</main></body></html>`
  const headers = {
    ...guards(content.cookie),
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOf(nonce, images),
  }
  return { status: content.status ?? 200, headers, body: document.text }
}

/** Sends the browser elsewhere. */
export const redirectTo = (location: string, cookie?: string): PageAnswer => ({
  status: 302,
  headers: { ...guards(cookie), location },
  body: null,
})
