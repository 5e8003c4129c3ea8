/**
 * Events of a calendar: all in a window of time, or those that changed since a delta link
 * (https://learn.microsoft.com/graph/delta-query-events). For a series, Graph returns the master, the changed
 * occurrences, and only the times of the others.
 */
import { ApiError } from '@waypost/platform/api-error'
import { timeText } from '../../calendar/exchange/when.ts'
import { graphPath } from '../graph-links.ts'
import { type DeltaPage, deltaOf, deltaPage } from '../graph-pages.ts'
import { type BatchCall, type Session, version } from '../session.ts'
import { at } from '../token-endpoint.ts'
import { calendarPath, type GraphEvent, graphEvent } from './calendar-api.ts'

const day = 86_400
/** The watched window: from half a year ago to a year and a half ahead. */
const past = 183 * day
const ahead = 547 * day
const prefer = ['odata.maxpagesize=200']
const maxPages = 300
const bytesOfPage = 32 * 1024 * 1024

export interface Round {
  /** Single events and masters, by id. */
  wholes: Map<string, GraphEvent>
  /** Changed occurrences, by the id of their master. */
  exceptions: Map<string, GraphEvent[]>
  /** The masters of all occurrences in the round. */
  masters: Set<string>
  removed: Set<string>
  /** The delta link of the next round. */
  link: string
}

function take(round: Round, items: readonly GraphEvent[]): void {
  for (const item of items) {
    if (item['@removed']) round.removed.add(item.id)
    else if (item.seriesMasterId === undefined) {
      round.wholes.set(item.id, item)
      round.removed.delete(item.id)
    } else {
      round.masters.add(item.seriesMasterId)
      if (item.type !== 'exception') continue
      const others = (round.exceptions.get(item.seriesMasterId) ?? []).filter(({ id }) => id !== item.id)
      round.exceptions.set(item.seriesMasterId, [...others, item])
    }
  }
}

/** The first day of a window that is set now, as a number. */
export const firstDay = (nowSeconds: number): number => Math.floor((nowSeconds - past) / day)

export type EventsPage = DeltaPage<GraphEvent>
export const eventsPage = deltaOf(graphEvent)

/** The first page of a round from a link, as a call of a batch. */
export const roundCall = ({ io }: Session, link: string): BatchCall => ({
  path: graphPath(link, at('graph', version, io)),
  prefer,
})

/** One round: from a link, or of the whole window around now; `first` is the page that was already read. */
export async function readRound(
  session: Session,
  calendarId: string,
  from: { link: string } | { now: number },
  first?: EventsPage,
): Promise<Round> {
  const round: Round = { wholes: new Map(), exceptions: new Map(), masters: new Set(), removed: new Set(), link: '' }
  let next: string | undefined = 'link' in from ? from.link : undefined
  for (let count = 0; count < maxPages; count += 1) {
    const isFirst = count === 0
    const page: EventsPage =
      isFirst && first
        ? first
        : next !== undefined || !('now' in from)
          ? await deltaPage(session, { link: next ?? '', prefer, maxBytes: bytesOfPage }, graphEvent)
          : await deltaPage(session, windowOf(session, calendarId, from.now), graphEvent)
    take(round, page.items)
    if (page.delta !== undefined) return { ...round, link: page.delta }
    next = page.next
    if (next === undefined) break
  }
  throw new ApiError('provider_unavailable', 'Microsoft ends its list of events without a link; try again')
}

const windowOf = (session: Session, calendarId: string, now: number) => ({
  path: `${calendarPath(session, calendarId)}/calendarView/delta`,
  query: { startDateTime: timeText(now - past), endDateTime: timeText(now + ahead) },
  prefer,
  maxBytes: bytesOfPage,
})
