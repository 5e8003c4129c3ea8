/**
 * The two public pages of tracked messages: the pixel, which always returns the image, and links, which redirect to
 * their target. Visitors do not wait for counting. Forged tokens get no information and count nothing.
 */
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Queries } from '@waypost/store/engine/database'
import { findLink, findPixel } from '@waypost/store/tables/mail/tracked-messages'
import { locationOf } from './links.ts'
import type { Token, TrackingTokens } from './tokens.ts'
import type { VisitCounter } from './visit-counter.ts'
import { loadsInAdvance, type Visit } from './visits.ts'

/** A request for one of the pages. */
export interface PageVisit {
  method: string
  header(name: string): string | null
  /** The last segment of the path. */
  name: string
  address: string
}

export interface PageAnswer {
  status: number
  headers: Record<string, string>
  body: Uint8Array<ArrayBuffer> | null
}

export interface TrackingPages {
  open(visit: PageVisit): Promise<PageAnswer>
  /** undefined if the token is invalid. */
  click(visit: PageVisit): Promise<PageAnswer | undefined>
}

export interface TrackingPagesOptions {
  queries: Queries
  seals: DataSeals
  clock: Clock
  tokens: TrackingTokens
  book: Pick<VisitCounter, 'add'>
}

/** A transparent image of one pixel. */
const GIF = Uint8Array.from(Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'))
const MAX_AGENT_LENGTH = 512

export function createTrackingPages({ queries, seals, clock, tokens, book }: TrackingPagesOptions): TrackingPages {
  const visitOf = ({ method, header, address }: PageVisit): Visit => ({
    ip: address,
    userAgent: (header('user-agent') ?? '').slice(0, MAX_AGENT_LENGTH).toWellFormed(),
    at: clock.now(),
    isAdvance: loadsInAdvance(method, header),
  })

  const linkOf = batching((sendId: string, link: number) => findLink(queries, { sendId, link }, seals))
  const pixelOf = batching((sendId: string) => findPixel(queries, sendId))

  async function noteOpen({ sendId, seal }: Token, visit: Visit): Promise<void> {
    const pixel = await pixelOf(sendId)
    if (pixel?.seal !== seal) return
    book.add({ applicationId: pixel.applicationId, grantId: pixel.grantId, sendId, link: undefined }, visit)
  }

  return {
    async open(request) {
      const token = tokens.read(request.name.replace(/\.gif$/, ''))
      // The image is returned even if the store is unavailable.
      if (token && token.link === undefined) await noteOpen(token, visitOf(request)).catch(() => undefined)
      const headers = {
        'content-type': 'image/gif',
        'cache-control': 'no-store, no-cache, must-revalidate, max-age=0',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
      }
      return { status: 200, headers, body: request.method === 'HEAD' ? null : GIF }
    },
    async click(request) {
      const token = tokens.read(request.name)
      if (token?.link === undefined) return undefined
      const link = await linkOf(token.sendId, token.link)
      const location = link?.seal === token.seal ? locationOf(link.url) : undefined
      if (!link || location === undefined) return undefined
      const { applicationId, grantId } = link
      book.add({ applicationId, grantId, sendId: token.sendId, link: token.link }, visitOf(request))
      const headers = {
        location,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
      }
      return { status: 302, headers, body: null }
    },
  }
}

/**
 * Concurrent calls with the same arguments share one query: many visitors of one link cause a single read of the
 * store.
 */
function batching<A extends (string | number)[], R>(ask: (...about: A) => Promise<R>): (...about: A) => Promise<R> {
  const requested = new Map<string, Promise<R>>()
  return (...about) => {
    const key = about.join(' ')
    const answer = requested.get(key) ?? ask(...about).finally(() => requested.delete(key))
    requested.set(key, answer)
    return answer
  }
}
