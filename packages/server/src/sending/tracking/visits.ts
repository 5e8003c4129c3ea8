/**
 * What a visit to a pixel or a tracked link counts as, and what is told of it. Pure.
 *
 * Not counted, but noted as flagged:
 * - HEAD, and requests that say they load in advance (Purpose, Sec-Purpose, X-Purpose, X-Moz: prefetch or preview);
 * - programs that look at mail for others: scanners of security products, link previews, crawlers, command-line tools;
 * - the proxies that load pictures before anybody reads: Apple's calls itself `Mozilla/5.0` and nothing more; those of
 *   Google and Yahoo also load when a message is opened, and are taken to load in advance within ten seconds of the sending;
 * - the sender: who opens from the address from which the account was connected. Where an account was connected without a
 *   browser that address is not known; the API leaves the pixel out of what it answers, so that reading there is no visit.
 *
 * Opens within one minute of the last that was counted are the same open. Clicks are counted one by one.
 */

import { seconds } from '../../lib/clock.ts'
import type { Counted, Recent, TrackedLink, TrackedMessage } from '../../store/tables/mail/tracked-messages.ts'

/** A request for a pixel or a tracked link. */
export interface Visit {
  ip: string
  userAgent: string
  /** Milliseconds. */
  at: number
  /** It said itself that nobody sees what it loads. */
  isAdvance: boolean
}

export type Kind = 'open' | 'click'

/** What is known of a message when it is visited. */
export interface Sending {
  /** Milliseconds. */
  sentAt: number | null
  /** The address from which the account was connected. */
  ownIp: string | null
}

const SCANNERS =
  /(?<!cu)bot\b|crawl|spider|scanner|slurp|preview|headlesschrome|phantomjs|existence discovery|skypeuripreview|facebookexternalhit|whatsapp|embedly|barracuda|proofpoint|mimecast|symantec|messagelabs|cloudmark|trendmicro|trend micro|fortiguard|fortinet|zscaler|sophos|bitdefender|kaspersky|forcepoint|ironport|cisco-|safelinks|google-safety|urldefense|virustotal|curl\/|wget\/|python-requests|python-urllib|aiohttp|go-http-client|libwww-perl|java\/|apache-httpclient|axios\//i
const APPLE_PROXY = /^Mozilla\/5\.0$/
const PICTURE_PROXIES = /GoogleImageProxy|YahooMailProxy/i
const ADVANCE_MS = 10_000

/** Whether a visit is somebody's who reads the message. */
export function isCounted(kind: Kind, visit: Visit, { sentAt, ownIp }: Sending): boolean {
  if (visit.isAdvance || SCANNERS.test(visit.userAgent)) return false
  if (ownIp !== null && visit.ip === ownIp) return false
  if (kind === 'click') return true
  if (APPLE_PROXY.test(visit.userAgent.trim())) return false
  const isEarly = sentAt === null || visit.at - sentAt < ADVANCE_MS
  return !(isEarly && PICTURE_PROXIES.test(visit.userAgent))
}

const ADVANCE_HEADERS = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz']

/** Whether a request says that it loads in advance. */
export const loadsInAdvance = (method: string, header: (name: string) => string | null): boolean =>
  method !== 'GET' || ADVANCE_HEADERS.some((name) => /prefetch|prerender|preview/i.test(header(name) ?? ''))

const MOST_RECENTS = 50
const SAME_OPEN_MS = 60_000

/** Adds opens; those that are the same as the last one change nothing. */
export function withOpens(counted: Counted, visits: readonly Visit[], sending: Sending): Counted {
  return visits.reduce((now, visit) => {
    if (!isCounted('open', visit, sending)) return withFlagged(now, 1)
    const isSame = now.lastAt !== null && Math.abs(visit.at - now.lastAt) < SAME_OPEN_MS
    return isSame ? now : withVisit(now, visit)
  }, counted)
}

/** Adds clicks, each of them. */
export const withClicks = (counted: Counted, visits: readonly Visit[], sending: Sending): Counted =>
  visits.reduce(
    (now, visit) => (isCounted('click', visit, sending) ? withVisit(now, visit) : withFlagged(now, 1)),
    counted,
  )

function withVisit(counted: Counted, { ip, at, userAgent }: Visit): Counted {
  const recent: Recent = { number: counted.count, ip, at, user_agent: userAgent }
  return {
    ...counted,
    count: counted.count + 1,
    lastAt: Math.max(at, counted.lastAt ?? at),
    recents: [...counted.recents, recent].slice(-MOST_RECENTS),
  }
}

/** Adds clicks of which nobody kept more than their number, before those that follow. */
export const withUnseenClicks = (counted: Counted, count: number): Counted => ({
  ...counted,
  count: counted.count + count,
})

/** Adds visits that are known not to count. */
export const withFlagged = (counted: Counted, count: number): Counted => ({
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

/** The object of message.opened. */
export function openedObject(message: TrackedMessage, opens: Counted) {
  const facts = factsOf(message, opens.lastAt ?? 0)
  return {
    object: 'message' as const,
    ...facts,
    message_data: { count: opens.count, timestamp: facts.timestamp },
    recents: opens.recents.map((recent) => ({ opened_id: recent.number, ...visitOf(recent) })),
  }
}

/** The object of message.link_clicked: all links with their counts, and the last visits to the one that was clicked. */
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

/** The object of thread.replied. */
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
