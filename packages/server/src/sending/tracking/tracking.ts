/**
 * Adds tracking to a message: links that redirect through this service, and a pixel at the end of the HTML. This
 * happens once, when the message is accepted, so that every attempt sends the same bytes. Pure except for the signing
 * keys.
 *
 * Either all links are tracked or none: those of `<a href>` with https, http, mailto or tel. Links stay unchanged if
 * they have no valid address, another scheme, a user name or password, or already go through this service.
 */
import { ApiError, invalidField } from '@waypost/platform/api-error'
import type { KeyRing } from '@waypost/platform/crypto/key-ring'
import type { NewTracked } from '@waypost/store/tables/mail/tracked-messages'
import { appendToHtml, htmlOf, type MessageRequest } from '../message-request.ts'
import { type FoundLinks, findLinks, replaceLinks } from './links.ts'
import { createTrackingTokens, sealOf } from './tokens.ts'

export interface TrackingWish {
  opens?: boolean | undefined
  links?: boolean | undefined
  thread_replies?: boolean | undefined
  label?: string | undefined
  /** A custom host name; not supported. */
  domain_name?: string | undefined
}

export interface TrackingPlan {
  /** The HTML to send, including the signature; undefined for plain text. */
  html?: string
  rows: NewTracked
}

export interface TrackingTools {
  sendId: string
  baseUrl: string
  keyRing: KeyRing
  /** HTML. */
  signature?: string | undefined
  /** The links of the HTML, if already found. */
  found?: FoundLinks | undefined
}

const MAX_LINKS = 100
const MAX_LABEL_LENGTH = 2048

/** Paths of tracked links and pixels. */
export const trackingPaths = { open: '/t/o/', click: '/t/c/' } as const

/** Rejects requests that cannot be tracked; returns whether anything is tracked. */
export function checkTracking(wish: TrackingWish | undefined): boolean {
  if (!wish) return false
  if (wish.domain_name !== undefined && wish.domain_name !== null) {
    throw new ApiError(
      'invalid_request',
      'tracking_options.domain_name must be an active custom hostname for this organization',
    )
  }
  if ((wish.label?.length ?? 0) > MAX_LABEL_LENGTH) {
    throw invalidField('tracking_options.label', `must have at most ${MAX_LABEL_LENGTH} characters`)
  }
  return wish.opens === true || wish.links === true || wish.thread_replies === true
}

type Tracked = MessageRequest & { tracking_options?: TrackingWish | undefined }

/** Removes our pixels from quoted text: they would count readers of this message for the quoted one. */
function plainHtml(request: Tracked, { signature, baseUrl }: Pick<TrackingTools, 'signature' | 'baseUrl'>) {
  const html = htmlOf(request, signature)
  return html === undefined ? undefined : withoutPixel(html, baseUrl)
}

/** The arguments of `findLinks` for a request that tracks links. */
export function linkSearchOf(
  request: Tracked,
  tools: Pick<TrackingTools, 'signature' | 'baseUrl'>,
): Parameters<typeof findLinks>[0] | undefined {
  const html = request.tracking_options?.links === true ? plainHtml(request, tools) : undefined
  if (html === undefined) return undefined
  return { html, ours: `${tools.baseUrl}${trackingPaths.click}`, max: MAX_LINKS }
}

/** The tracking of a request, or undefined if it tracks nothing. */
export function trackingPlanOf(request: Tracked, tools: TrackingTools): TrackingPlan | undefined {
  const { sendId, baseUrl, keyRing } = tools
  const wish = request.tracking_options
  if (!wish || !checkTracking(wish)) return undefined
  const tokens = createTrackingTokens(keyRing)
  const { opens = false, links = false, thread_replies = false, label = '' } = wish
  const rows: NewTracked = {
    sendId,
    sender: request.from?.[0]?.email ?? null,
    options: { opens, links, thread_replies, label },
    openSeal: null,
    links: [],
  }
  let html = plainHtml(request, tools)
  if (html === undefined) return { rows }
  const search = linkSearchOf(request, tools)
  if (search) {
    const found = withinLimit(tools.found ?? findLinks(search))
    const signed = found.map(({ url }, link) => tokens.sign({ sendId, link, target: url }))
    html = replaceLinks(html, found, (at) => `${search.ours}${signed[at]}`)
    rows.links = found.map(({ url }, at) => ({ url, seal: sealOf(signed[at] ?? '') }))
  }
  if (opens) {
    const token = tokens.sign({ sendId, link: undefined })
    html = appendToHtml(html, pixelOf(`${baseUrl}${trackingPaths.open}${token}.gif`))
    rows.openSeal = sealOf(token)
  }
  return { html, rows }
}

function withinLimit({ links, count }: FoundLinks): FoundLinks['links'] {
  if (count <= MAX_LINKS) return links
  throw new ApiError(
    'invalid_request',
    `Too many tracking links: ${count} exceeds the maximum of ${MAX_LINKS}. Please reduce the number of links in your email.`,
  )
}

/** Not hidden by CSS: some mail clients do not load hidden images. */
const pixelOf = (address: string): string =>
  `<img src="${address}" alt="" width="1" height="1" style="border:0;width:1px;height:1px">`

/** Removes our pixels, so that reading a message through the API does not count as opening it. */
export function withoutPixel(html: string, baseUrl: string): string {
  const begin = `${baseUrl}${trackingPaths.open}`
  if (!html.includes(begin)) return html
  return html.replaceAll(/<img\b[^<>]*>/gi, (tag) => {
    const source = /\ssrc\s*=\s*["']?([^"'\s>]*)/i.exec(tag)?.[1]
    return source?.startsWith(begin) ? '' : tag
  })
}
