/**
 * What tracking adds to a message: links that lead through this service, and a pixel at the end of the HTML. Made once, when
 * the message is accepted, so that every attempt sends the same. Pure but for the keys that sign.
 *
 * All links are tracked or none: those of `<a href>` with https, http, mailto or tel. Left as they are: links without a
 * valid address, of other schemes, with a user or password in them, and those that lead through this service already.
 */
import { ApiError, invalidField } from '../../lib/api-error.ts'
import type { KeyRing } from '../../lib/crypto/key-ring.ts'
import type { NewTracked } from '../../store/tables/mail/tracked-messages.ts'
import { appendToHtml, htmlOf, type MessageRequest } from '../compose/compose.ts'
import { type FoundLinks, findLinks, replaceLinks } from './links.ts'
import { createTrackingTokens, sealOf } from './tokens.ts'

export interface TrackingWish {
  opens?: boolean | undefined
  links?: boolean | undefined
  thread_replies?: boolean | undefined
  label?: string | undefined
  /** A host of one's own, which this service has none of. */
  domain_name?: string | undefined
}

export interface TrackingPlan {
  /** The HTML to send, signature included; none where the message is plain text. */
  html?: string
  rows: NewTracked
}

export interface TrackingTools {
  sendId: string
  baseUrl: string
  keyRing: KeyRing
  /** HTML. */
  signature?: string | undefined
  /** The links of the HTML, where they were looked for already. */
  found?: FoundLinks | undefined
}

const MOST_LINKS = 100
const LONGEST_LABEL = 2048

/** Where tracked links and pixels lead. */
export const trackingPaths = { open: '/t/o/', click: '/t/c/' } as const

/** Refuses what cannot be tracked; whether anything is to be tracked at all. */
export function checkTracking(wish: TrackingWish | undefined): boolean {
  if (!wish) return false
  if (wish.domain_name !== undefined && wish.domain_name !== null) {
    throw new ApiError(
      'invalid_request',
      'tracking_options.domain_name must be an active custom hostname for this organization',
    )
  }
  if ((wish.label?.length ?? 0) > LONGEST_LABEL) {
    throw invalidField('tracking_options.label', `must have at most ${LONGEST_LABEL} characters`)
  }
  return wish.opens === true || wish.links === true || wish.thread_replies === true
}

type Tracked = MessageRequest & { tracking_options?: TrackingWish | undefined }

/** A pixel that came along in quoted text would count this message's readers as that one's. */
function plainHtml(request: Tracked, { signature, baseUrl }: Pick<TrackingTools, 'signature' | 'baseUrl'>) {
  const html = htmlOf(request, signature)
  return html === undefined ? undefined : withoutPixel(html, baseUrl)
}

/** What `findLinks` takes, for a request whose links are tracked. */
export function linkSearchOf(
  request: Tracked,
  tools: Pick<TrackingTools, 'signature' | 'baseUrl'>,
): Parameters<typeof findLinks>[0] | undefined {
  const html = request.tracking_options?.links === true ? plainHtml(request, tools) : undefined
  if (html === undefined) return undefined
  return { html, ours: `${tools.baseUrl}${trackingPaths.click}`, most: MOST_LINKS }
}

/** What a request asks to have tracked, or undefined where that is nothing. */
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
  if (count <= MOST_LINKS) return links
  throw new ApiError(
    'invalid_request',
    `Too many tracking links: ${count} exceeds the maximum of ${MOST_LINKS}. Please reduce the number of links in your email.`,
  )
}

/** Not hidden by style: what is not shown is not loaded everywhere. */
const pixelOf = (address: string): string =>
  `<img src="${address}" alt="" width="1" height="1" style="border:0;width:1px;height:1px">`

/** HTML without the pixels of this service, so that reading a message through the API does not open it. */
export function withoutPixel(html: string, baseUrl: string): string {
  const begin = `${baseUrl}${trackingPaths.open}`
  if (!html.includes(begin)) return html
  return html.replaceAll(/<img\b[^<>]*>/gi, (tag) => {
    const source = /\ssrc\s*=\s*["']?([^"'\s>]*)/i.exec(tag)?.[1]
    return source?.startsWith(begin) ? '' : tag
  })
}
