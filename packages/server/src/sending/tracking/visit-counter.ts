/**
 * Counts visits. Who visits does not wait for it: visits are gathered by message, and one transaction at a time counts those
 * of a message and tells of them; the first at once, further ones together once a second. However many come, a message and
 * a link have one row each, and of what is gathered no more is kept than can be told.
 *
 * While the grant is invalid visits are counted and held; `changes/tracking-backfill.ts` tells of them or lets them go. Of a
 * blocked grant nothing is told. A node that ends counts what it has gathered; one that is killed loses a second of it.
 */
import type { Notify } from '../../grants/notify.ts'
import { sleep } from '../../lib/clock.ts'
import type { DataSeals } from '../../lib/crypto/data-seals.ts'
import type { Log } from '../../lib/log.ts'
import type { Database, Queries } from '../../store/engine/database.ts'
import { type GrantRecord, getGrant, lockGrant } from '../../store/tables/grants/grants.ts'
import type { Mailbox } from '../../store/tables/mail/message-metadata.ts'
import {
  type Counted,
  findTracked,
  linksOf,
  saveClicks,
  saveOpens,
  type TrackedMessage,
} from '../../store/tables/mail/tracked-messages.ts'
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
  /** Between two transactions for the same message. */
  pauseMs?: number
}

/** Which pixel or link was visited. */
export interface Visited extends Mailbox {
  sendId: string
  link: number | undefined
}

export interface VisitCounter extends AsyncDisposable {
  /** Notes a visit; it is counted soon. */
  add(visited: Visited, visit: Visit): void
  /** Resolves when everything that was added before is counted. */
  settled(): Promise<void>
}

/** Visits to one pixel or link that wait to be counted. */
interface Gathered {
  /** The last ones of a link, the first ones of a pixel: all others of these are the same open. */
  visits: Visit[]
  /** How many clicks there were beside those. */
  unseen: number
  flagged: number
}

interface Page {
  at: Mailbox & { sendId: string }
  /** By link; undefined is the pixel. */
  gathered: Map<number | undefined, Gathered>
  turn: Promise<void>
}

/** Enough for everything that is told. */
const MOST_GATHERED = 60
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
      // Those that gathered in the meantime wait, so that a crowd is counted in one go.
      await sleep(pauseMs, stopping.signal)
    }
    pages.delete(page.at.sendId)
  }

  async function count(tx: Queries, at: Page['at'], taken: Page['gathered']): Promise<void> {
    await lockGrant(tx, at.applicationId, at.grantId)
    const record = await getGrant(tx, at.applicationId, at.grantId)
    const message = await findTracked(tx, at.sendId, seals)
    // The grant was deleted since.
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

  const isTold = ({ record }: Facts): boolean => record.status === 'valid' && !record.grant.blocked
  const hold = <C extends Counted>({ record }: Facts, before: C, after: C): C => ({
    ...after,
    heldAfter: record.status === 'invalid' && after.count > before.count ? record.updatedAt : before.heldAfter,
  })

  async function countOpens(tx: Queries, facts: Facts, { visits, flagged }: Gathered): Promise<void> {
    const { record, message, sending } = facts
    const opens = hold(facts, message.opens, withFlagged(withOpens(message.opens, visits, sending), flagged))
    await saveOpens(tx, message, opens, seals)
    if (opens.count === message.opens.count || !isTold(facts)) return
    await tell(tx, record, 'message.opened', openedObject(message, opens))
  }

  async function countClicks(tx: Queries, facts: Facts, clicks: Gathered & { link: number }): Promise<void> {
    const { record, message, sending } = facts
    const links = await linksOf(tx, message, seals)
    const before = links.find(({ index }) => index === clicks.link)
    if (!before) return
    const counted = withClicks(withUnseenClicks(before, clicks.unseen), clicks.visits, sending)
    const after = hold(facts, before, { ...before, ...withFlagged(counted, clicks.flagged) })
    await saveClicks(tx, message, after, seals)
    if (after.count === before.count || !isTold(facts)) return
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

/** What may still be found out about a message makes no visit count that does not count by itself. */
const longAgo: Sending = { sentAt: Number.NEGATIVE_INFINITY, ownIp: null }

function gather(gathered: Page['gathered'], link: number | undefined, visit: Visit): void {
  const known = gathered.get(link) ?? { visits: [], unseen: 0, flagged: 0 }
  gathered.set(link, known)
  if (!isCounted(link === undefined ? 'open' : 'click', visit, longAgo)) known.flagged++
  else if (known.visits.length < MOST_GATHERED) known.visits.push(visit)
  else if (link !== undefined) {
    known.visits.shift()
    known.visits.push(visit)
    known.unseen++
  }
}

/** Those that could not be counted, before those that came since. */
function merged(taken: Page['gathered'], since: Page['gathered']): Page['gathered'] {
  const batching = new Map(taken)
  for (const [link, { visits, unseen, flagged }] of since) {
    const known = batching.get(link) ?? { visits: [], unseen: 0, flagged: 0 }
    const all = [...known.visits, ...visits]
    const kept = link === undefined ? all.slice(0, MOST_GATHERED) : all.slice(-MOST_GATHERED)
    const more = link === undefined ? 0 : all.length - kept.length
    batching.set(link, { visits: kept, unseen: known.unseen + unseen + more, flagged: known.flagged + flagged })
  }
  return batching
}
