/**
 * Counts visits without making visitors wait. Visits are collected per message. One transaction at a time counts the
 * visits of a message and writes the notification: the first visit at once, later ones together once per second. A
 * message and a link have one row each, and at most as many visits are retained as a notification contains.
 *
 * While the grant is invalid, visits are counted but not reported; `changes/backfill.ts` reports or drops
 * them later. A blocked grant gets no notifications. A node that stops counts its collected visits first; a killed
 * node loses at most one second.
 */

import { sleep } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Log } from '@waypost/platform/log'
import type { Database, Queries } from '@waypost/store/engine/database'
import { type GrantRecord, getGrant, lockGrant } from '@waypost/store/tables/grants/grants'
import type { Mailbox } from '@waypost/store/tables/mail/message-metadata'
import {
  findTracked,
  linksOf,
  saveClicks,
  saveOpens,
  type TrackedMessage,
  type VisitCount,
} from '@waypost/store/tables/mail/tracked-messages'
import type { Notify } from '../../grants/notify.ts'
import {
  clickedObject,
  isCounted,
  openedObject,
  type Sending,
  type Visit,
  withClicks,
  withFlagged,
  withOpens,
  withUnseenClicks,
} from './visits.ts'

export interface VisitCounterOptions {
  database: Database
  log: Log
  notify: Notify
  seals: DataSeals
  /** Time between two transactions for the same message. */
  pauseMs?: number
}

/** The pixel or link that was visited. */
export interface Visited extends Mailbox {
  sendId: string
  link: number | undefined
}

export interface VisitCounter extends AsyncDisposable {
  /** Records a visit; it is counted soon. */
  add(visited: Visited, visit: Visit): void
  /** Resolves when all visits added before are counted. */
  settled(): Promise<void>
}

/** Visits of one pixel or link that are not counted yet. */
interface GatheredVisits {
  /** The latest visits of a link. For a pixel the first visits: later ones within the pause are the same open. */
  visits: Visit[]
  /** Number of further clicks. */
  unseen: number
  flagged: number
}

interface Page {
  at: Mailbox & { sendId: string }
  /** By link index; undefined is the pixel. */
  gathered: Map<number | undefined, GatheredVisits>
  turn: Promise<void>
}

/** No notification contains more visits. */
const MAX_GATHERED = 60
const TRIES = 5

export function createVisitCounter(options: VisitCounterOptions): VisitCounter {
  const { database, log, notify, seals, pauseMs = 1_000 } = options
  const pages = new Map<string, Page>()
  const stopping = new AbortController()

  async function run(page: Page): Promise<void> {
    for (let tries = 0; page.gathered.size > 0; ) {
      const taken = page.gathered
      page.gathered = new Map()
      try {
        await database.transaction((tx) => count(tx, page.at, taken))
        tries = 0
      } catch (error) {
        if (++tries < TRIES) page.gathered = merged(taken, page.gathered)
        else log.warn({ error, send_id: page.at.sendId }, 'visits to a tracked message could not be counted')
      }
      // Waits, so that visits in the meantime are counted together.
      await sleep(pauseMs, stopping.signal)
    }
    pages.delete(page.at.sendId)
  }

  async function count(tx: Queries, at: Page['at'], taken: Page['gathered']): Promise<void> {
    await lockGrant(tx, at.applicationId, at.grantId)
    const record = await getGrant(tx, at.applicationId, at.grantId)
    const message = await findTracked(tx, at.sendId, seals)
    // The grant was deleted in the meantime.
    if (!record || !message) return
    const sending = { sentAt: message.sentAt, ownIp: record.grant.ip }
    for (const [link, gathered] of taken) {
      if (link === undefined) await countOpens(tx, { record, message, sending }, gathered)
      else await countClicks(tx, { record, message, sending }, { link, ...gathered })
    }
  }

  interface Facts {
    record: GrantRecord
    message: TrackedMessage
    sending: Sending
  }

  const isReported = ({ record }: Facts): boolean => record.status === 'valid' && !record.grant.blocked
  const hold = <C extends VisitCount>({ record }: Facts, before: C, after: C): C => ({
    ...after,
    heldAfter: record.status === 'invalid' && after.count > before.count ? record.updatedAt : before.heldAfter,
  })

  async function countOpens(tx: Queries, facts: Facts, { visits, flagged }: GatheredVisits): Promise<void> {
    const { record, message, sending } = facts
    const opens = hold(facts, message.opens, withFlagged(withOpens(message.opens, visits, sending), flagged))
    await saveOpens(tx, message, opens, seals)
    if (opens.count === message.opens.count || !isReported(facts)) return
    await tell(tx, record, 'message.opened', openedObject(message, opens))
  }

  async function countClicks(tx: Queries, facts: Facts, clicks: GatheredVisits & { link: number }): Promise<void> {
    const { record, message, sending } = facts
    const links = await linksOf(tx, message, seals)
    const before = links.find(({ index }) => index === clicks.link)
    if (!before) return
    const counted = withClicks(withUnseenClicks(before, clicks.unseen), clicks.visits, sending)
    const after = hold(facts, before, { ...before, ...withFlagged(counted, clicks.flagged) })
    await saveClicks(tx, message, after, seals)
    if (after.count === before.count || !isReported(facts)) return
    const now = links.map((link) => (link.index === after.index ? after : link))
    await tell(tx, record, 'message.link_clicked', clickedObject(message, now, after))
  }

  const tell = (
    tx: Queries,
    { applicationId, grant }: GrantRecord,
    trigger: 'message.opened' | 'message.link_clicked',
    object: object,
  ): Promise<void> => notify(tx, { applicationId, grantId: grant.id, provider: grant.provider, trigger, object })

  return {
    add({ applicationId, grantId, sendId, link }, visit) {
      const page = pages.get(sendId)
      if (page) {
        gather(page.gathered, link, visit)
        return
      }
      const at = { applicationId, grantId, sendId }
      const fresh: Page = { at, gathered: new Map(), turn: Promise.resolve() }
      gather(fresh.gathered, link, visit)
      pages.set(sendId, fresh)
      fresh.turn = run(fresh)
    },
    async settled() {
      await Promise.all([...pages.values()].map(({ turn }) => turn))
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await Promise.all([...pages.values()].map(({ turn }) => turn))
    },
  }
}

/** Visits that do not count, regardless of later information about the message. */
const longAgo: Sending = { sentAt: Number.NEGATIVE_INFINITY, ownIp: null }

function gather(gathered: Page['gathered'], link: number | undefined, visit: Visit): void {
  const known = gathered.get(link) ?? { visits: [], unseen: 0, flagged: 0 }
  gathered.set(link, known)
  if (!isCounted(link === undefined ? 'open' : 'click', visit, longAgo)) known.flagged++
  else if (known.visits.length < MAX_GATHERED) known.visits.push(visit)
  else if (link !== undefined) {
    known.visits.shift()
    known.visits.push(visit)
    known.unseen++
  }
}

/** Puts visits that could not be counted before newer ones. */
function merged(taken: Page['gathered'], since: Page['gathered']): Page['gathered'] {
  const batching = new Map(taken)
  for (const [link, { visits, unseen, flagged }] of since) {
    const known = batching.get(link) ?? { visits: [], unseen: 0, flagged: 0 }
    const all = [...known.visits, ...visits]
    const retained = link === undefined ? all.slice(0, MAX_GATHERED) : all.slice(-MAX_GATHERED)
    const more = link === undefined ? 0 : all.length - retained.length
    batching.set(link, { visits: retained, unseen: known.unseen + unseen + more, flagged: known.flagged + flagged })
  }
  return batching
}
