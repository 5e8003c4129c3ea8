/**
 * Decides whether a visit of a pixel or tracked link counts, and builds the notification. Pure.
 *
 * These visits do not count; they are recorded as flagged:
 * - HEAD, and requests that declare a prefetch (Purpose, Sec-Purpose, X-Purpose, X-Moz: prefetch or preview);
 * - programs that check mail for others: security scanners, link previews, crawlers, command-line tools;
 * - proxies that load images before anybody reads: Apple's sends `Mozilla/5.0` and nothing more; those of Google and
 * Yahoo also load when a message is opened, so they count unless they load within ten seconds of sending;
 * - the sender: a visit from the IP address from which the account was connected. That address is unknown if the
 * account was connected without a browser. The API removes the pixel from its responses, so reading there is no
 * visit.
 *
 * Opens within one minute of the last counted open are the same open. Every click counts.
 */

import { seconds } from '@waypost/platform/clock'
import type { Recent, TrackedLink, TrackedMessage, VisitCount } from '@waypost/store/tables/mail/tracked-messages'

/** A request for a pixel or tracked link. */
export interface Visit {
  ip: string
  userAgent: string
  /** Milliseconds. */
  at: number
  /** The request declared itself a prefetch. */
  isAdvance: boolean
}

export type Kind = 'open' | 'click'

/** Facts about the message that decide whether a visit counts. */
export interface Sending {
  /** Milliseconds. */
  sentAt: number | null
  /** The IP address from which the account was connected. */
  ownIp: string | null
}

const SCANNERS =
  /(?<!cu)bot\b|crawl|spider|scanner|slurp|preview|headlesschrome|phantomjs|existence discovery|skypeuripreview|facebookexternalhit|whatsapp|embedly|barracuda|proofpoint|mimecast|symantec|messagelabs|cloudmark|trendmicro|trend micro|fortiguard|fortinet|zscaler|sophos|bitdefender|kaspersky|forcepoint|ironport|cisco-|safelinks|google-safety|urldefense|virustotal|curl\/|wget\/|python-requests|python-urllib|aiohttp|go-http-client|libwww-perl|java\/|apache-httpclient|axios\//i
const APPLE_PROXY = /^Mozilla\/5\.0$/
const PICTURE_PROXIES = /GoogleImageProxy|YahooMailProxy/i
const ADVANCE_MS = 10_000

/** Whether a visit is by a reader of the message. */
export function isCounted(kind: Kind, visit: Visit, { sentAt, ownIp }: Sending): boolean {
  if (visit.isAdvance || SCANNERS.test(visit.userAgent)) return false
  if (ownIp !== null && visit.ip === ownIp) return false
  if (kind === 'click') return true
  if (APPLE_PROXY.test(visit.userAgent.trim())) return false
  const isEarly = sentAt === null || visit.at - sentAt < ADVANCE_MS
  return !(isEarly && PICTURE_PROXIES.test(visit.userAgent))
}

const ADVANCE_HEADERS = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz']

/** Whether a request declares itself a prefetch. */
export const loadsInAdvance = (method: string, header: (name: string) => string | null): boolean =>
  method !== 'GET' || ADVANCE_HEADERS.some((name) => /prefetch|prerender|preview/i.test(header(name) ?? ''))

const MAX_RECENTS = 50
const SAME_OPEN_MS = 60_000

/** Adds opens. An open that repeats the last one changes nothing. */
export function withOpens(counted: VisitCount, visits: readonly Visit[], sending: Sending): VisitCount {
  return visits.reduce((now, visit) => {
    if (!isCounted('open', visit, sending)) return withFlagged(now, 1)
    const isSame = now.lastAt !== null && Math.abs(visit.at - now.lastAt) < SAME_OPEN_MS
    return isSame ? now : withVisit(now, visit)
  }, counted)
}

/** Adds clicks; every click counts. */
export const withClicks = (counted: VisitCount, visits: readonly Visit[], sending: Sending): VisitCount =>
  visits.reduce(
    (now, visit) => (isCounted('click', visit, sending) ? withVisit(now, visit) : withFlagged(now, 1)),
    counted,
  )

function withVisit(counted: VisitCount, { ip, at, userAgent }: Visit): VisitCount {
  const recent: Recent = { number: counted.count, ip, at, user_agent: userAgent }
  return {
    ...counted,
    count: counted.count + 1,
    lastAt: Math.max(at, counted.lastAt ?? at),
    recents: [...counted.recents, recent].slice(-MAX_RECENTS),
  }
}

/** Adds clicks of which only the number is recorded, before later ones. */
export const withUnseenClicks = (counted: VisitCount, count: number): VisitCount => ({
  ...counted,
  count: counted.count + count,
})

/** Adds visits that do not count. */
export const withFlagged = (counted: VisitCount, count: number): VisitCount => ({
  ...counted,
  flagged: counted.flagged + count,
})

const factsOf = (message: TrackedMessage, at: number) => ({
  message_id: message.messageId ?? message.mimeId,
  grant_id: message.grantId,
  label: message.options.label,
  sender_app_id: message.applicationId,
  timestamp: seconds(at),
})

const visitOf = ({ ip, at, user_agent }: Recent) => ({ ip, timestamp: seconds(at), user_agent })

/** The object of the message.opened notification. */
export function openedObject(message: TrackedMessage, opens: VisitCount) {
  const facts = factsOf(message, opens.lastAt ?? 0)
  return {
    object: 'message' as const,
    ...facts,
    message_data: { count: opens.count, timestamp: facts.timestamp },
    recents: opens.recents.map((recent) => ({ opened_id: recent.number, ...visitOf(recent) })),
  }
}

/** The object of message.link_clicked: all links with their counts, and the latest visits of the clicked one. */
export function clickedObject(message: TrackedMessage, links: readonly TrackedLink[], clicked: TrackedLink) {
  return {
    object: 'message' as const,
    ...factsOf(message, clicked.lastAt ?? 0),
    link_data: links.map(({ url, count }) => ({ url, count })),
    recents: clicked.recents.map((recent) => ({
      click_id: recent.number,
      link_index: String(clicked.index),
      ...visitOf(recent),
    })),
  }
}

/** The object of the thread.replied notification. */
export function repliedObject(
  message: TrackedMessage,
  reply: { id: string; threadId: string; answeredId: string; fromSelf: boolean; date: number; count: number },
) {
  return {
    object: 'thread' as const,
    ...factsOf(message, reply.date * 1000),
    message_id: reply.id,
    root_message_id: message.messageId ?? message.mimeId,
    reply_to_message_id: reply.answeredId,
    thread_id: reply.threadId,
    reply_data: { count: reply.count },
    from_self: reply.fromSelf,
  }
}
