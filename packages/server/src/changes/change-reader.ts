/**
 * Reading the changes of one grant: from its cursor on, all that there is. What is found is told in the same transaction
 * that keeps the new cursor, so that nothing is told twice and nothing is lost. Inside it the shard and the grant are held:
 * a node that lost the shard, and a grant that is not watched any more, keep and tell nothing.
 */
import type { ItipMail } from '../formats/itip/mail.ts'
import type { Notify, Sync } from '../grants/notify.ts'
import type { Sessions } from '../grants/sessions.ts'
import type { Clock } from '../lib/clock.ts'
import { seconds } from '../lib/clock.ts'
import type { DataSeals } from '../lib/crypto/data-seals.ts'
import { untilAborted } from '../lib/egress/deadline.ts'
import type { Span } from '../lib/span.ts'
import type { Correspondent } from '../providers/contacts/correspondent.ts'
import { gatherContacts } from '../providers/contacts/gathering.ts'
import type { Change, ChangeSource, RefusedPart } from '../providers/provider.ts'
import { messageNamesOf } from '../providers/registry.ts'
import { noticeBounce } from '../sending/replies/bounces.ts'
import { noticeReply } from '../sending/replies/replies.ts'
import type { Database, Queries } from '../store/engine/database.ts'
import { contactTables } from '../store/tables/calendars-contacts/contacts.ts'
import { type GrantRecord, getGrant } from '../store/tables/grants/grants.ts'
import { type HeldShard, holdShard } from '../store/tables/grants/watch-shards.ts'
import {
  holdWatchedGrant,
  readWatch,
  saveWatch,
  touchWatch,
  type WatchAddress,
  type WatchRow,
} from '../store/tables/grants/watches.ts'
import { type Mailbox, withMetadata } from '../store/tables/mail/message-metadata.ts'
import { backfillOf, isTold } from './backfill.ts'
import { queueItip } from './itip-mails.ts'
import { withCalendarMetadata, withEventMetadata } from './object-metadata.ts'

type MessageCame = Extract<Change, { trigger: 'message.created' }>

type KeptWatch = WatchRow & { cursor: string }

/** A grant that this node watches. */
export interface Watch extends WatchAddress, HeldShard {
  /** The grant's mark when the watch began: when it is another, another watch takes its place. */
  readonly mark: number
  /** In a row, without a success. */
  failures: number
  /** After a failure: when it is tried again. */
  retryAt: number
  /** When changes were last fetched in full, and what the store knows of it. */
  syncedAt: number
  storedAt: number
  opened: Opened | undefined
  /** What kind of account it is, once the grant was read. */
  provider?: string
  /** The look that is under way, where it is traced. */
  span?: Span | undefined
  /** Ends the wait for changes; absent while nobody waits, or where the provider never tells. */
  wakeWatch?: (() => void) | undefined
  /** The provider told of changes while they were being fetched: there may be more. */
  isWoken?: boolean
  /** The provider said that what makes it tell of changes ends: it is asked for anew at the next look. */
  renewPush?: boolean
  /** How what is fetched next was noticed; by looking when absent. */
  sync?: Sync
}

/** What is open at the provider. */
export interface Opened {
  readonly record: GrantRecord
  readonly source: ChangeSource<unknown>
  readonly session: unknown
  /** The provider may tell that there are changes. */
  readonly isTold: boolean
  /** Aborts when the session is over. */
  readonly controller: AbortController
}

/** The shard is another node's by now, or the grant has changed: the watch is over. */
export class Outdated extends Error {
  constructor(what: string) {
    super(what)
    this.name = 'Outdated'
  }
}

export interface ChangeReaderOptions {
  database: Database
  clock: Clock
  sessions: Pick<Sessions, 'open' | 'providerOf'>
  notify: Notify
  seals: DataSeals
  nodeId: string
  /** What one question to a provider may take. */
  answerMs?: number
  /** Hears of parts of an account whose changes the provider refuses to report. */
  refused?(watch: Watch, part: RefusedPart): void
}

export interface ChangeReader {
  open(watch: WatchAddress & Pick<Watch, 'span'>): Promise<Opened>
  /** Fetches everything that changed. */
  sync(watch: Watch, opened: Opened): Promise<void>
  /** Notes when changes were last fetched in full, before a time in which they cannot be. */
  touch(watch: Watch): Promise<void>
}

/** That all was fetched is noted this often where nothing changes. */
const noteMs = 1_800_000
/** And, before an outage, when what is noted is older than this. */
const staleMs = 60_000

export function createChangeReader(options: ChangeReaderOptions): ChangeReader {
  const { database, clock, sessions, seals, nodeId, answerMs = 120_000 } = options

  async function ask(
    { source, session, controller }: Opened,
    { cursor, notifyFrom, beganAt }: Place,
    renewPush: boolean,
  ): ReturnType<ChangeSource<unknown>['since']> {
    const late = setTimeout(() => controller.abort(new Error('the provider took too long to tell changes')), answerMs)
    const asked = { notBefore: notifyFrom, beganAt, ...(renewPush ? { renewPush } : {}) }
    try {
      return await unlessAborted(() => source.since(session, cursor, asked), controller.signal)
    } finally {
      clearTimeout(late)
    }
  }

  /** The same; that pushes are to be renewed counts until all is fetched. */
  async function askRenewing(watch: Watch, opened: Opened, place: Place): ReturnType<typeof ask> {
    const renewPush = watch.renewPush ?? false
    watch.renewPush = false
    let isDone = false
    try {
      const found = await ask(opened, place, renewPush)
      isDone = !found.more
      return found
    } finally {
      if (renewPush && !isDone) watch.renewPush = true
    }
  }

  return {
    async open(watch) {
      const { applicationId, grantId } = watch
      const record = await getGrant(database, applicationId, grantId)
      if (!record) throw new Outdated('the grant is gone')
      const provider = sessions.providerOf(record, 'changes')
      if (!provider.changes) throw new Error(`${provider.kind} tells of no changes`)
      const controller = new AbortController()
      const use = {
        queries: database,
        signal: () => controller.signal,
        responseHeaders: {},
        // A session outlives many looks, each of which is traced by itself.
        get span() {
          return watch.span
        },
      }
      const session = sessions.open(record, 'changes', use)
      return { record, source: provider.changes, session, isTold: provider.receive !== undefined, controller }
    },
    async sync(watch, opened) {
      for (;;) {
        const row = await readWatch(database, watch, seals)
        const place = placeOf(row, opened.record)
        const askedAt = clock.now()
        const { changes, cursor, more = false, people = [], refused = [] } = await askRenewing(watch, opened, place)
        for (const each of refused) options.refused?.(watch, each)
        if (more && cursor === place.cursor) throw new Error('the provider has more changes, but does not get on')
        const told = changes.filter(({ happenedAt }) => isTold({ told: 'missed', from: place.notifyFrom }, happenedAt))
        const syncedAt = more ? (row?.synced_at ?? null) : askedAt
        const authenticatedAt = opened.record.updatedAt
        const isNothing = told.length === 0 && people.length === 0
        const same = row?.cursor === cursor && row.authenticated_at === authenticatedAt && isNothing
        if (!same || more || askedAt - (row.synced_at ?? 0) >= noteMs) {
          await keepChanges(
            options,
            { watch, record: opened.record },
            { changes: told, people },
            {
              cursor,
              synced_at: syncedAt,
              authenticated_at: authenticatedAt,
              told_from: place.notifyFrom,
            },
          )
        } else {
          watch.storedAt = row.synced_at ?? 0
        }
        watch.syncedAt = syncedAt ?? 0
        if (!more) return
      }
    },
    async touch(watch) {
      if (watch.syncedAt - watch.storedAt < staleMs) return
      watch.storedAt = watch.syncedAt
      await touchWatch(database, watch, { ...watch, owner: nodeId })
    },
  }
}

/** Tells of changes, takes down whom the mail names, and keeps the new cursor, in one transaction. */
async function keepChanges(
  options: ChangeReaderOptions,
  { watch, record }: { watch: Watch; record: GrantRecord },
  { changes, people }: { changes: readonly Change[]; people: readonly Correspondent[] },
  row: KeptWatch,
): Promise<void> {
  const { database, nodeId, notify, seals } = options
  const { applicationId, grantId } = watch
  const { grant } = record
  await database.transaction(async (tx) => {
    if (!(await holdShard(tx, nodeId, watch))) throw new Outdated('the shard is watched by another node')
    if (!(await holdWatchedGrant(tx, watch, watch.mark))) throw new Outdated('the grant has changed')
    const about = { applicationId, grantId, provider: grant.provider }
    for (const change of changes) {
      const object = await wholeObject(tx, { applicationId, grantId, ...messageNamesOf(grant) }, change)
      await notify(tx, {
        ...about,
        sync: change.polled ? 'incremental' : (watch.sync ?? 'incremental'),
        trigger: change.trigger,
        suffix: change.suffix,
        object,
      })
      if (change.trigger === 'message.created') await noticeAnswer(options, tx, record, change)
    }
    const contacts = contactTables(tx, seals, { applicationId, grantId })
    await gatherContacts(
      grant,
      {
        contacts,
        notify: (trigger, object) => notify(tx, { ...about, sync: watch.sync, trigger, object }),
      },
      people,
    )
    await queueItip(tx, seals, { applicationId, grantId, now: options.clock.now() }, itipIn(changes))
    await saveWatch(tx, watch, row, seals)
  })
  watch.storedAt = row.synced_at ?? 0
}

const itipIn = (changes: readonly Change[]): ItipMail[] => changes.flatMap(({ itip }) => itip ?? [])

/** What a message that came is to one that was sent: a report of a mail system about it, or an answer. */
async function noticeAnswer(
  { notify, seals, clock }: ChangeReaderOptions,
  tx: Queries,
  record: GrantRecord,
  change: MessageCame,
): Promise<void> {
  const { object: message, report, names } = change
  if (report) {
    const { applicationId, grant } = record
    const watched = { applicationId, grantId: grant.id, provider: grant.provider }
    await noticeBounce(tx, watched, { message, report }, { notify, seals, now: clock.now() })
  } else if (names && names.references.length > 0) {
    await noticeReply(tx, record, { ...message, ...names, inReplyTo: names.references.slice(-1) }, { notify, seals })
  }
}

/** What changed, with what the service itself keeps of it; of what is gone, the service keeps nothing more. */
async function wholeObject(tx: Queries, at: Mailbox, change: Change): Promise<object> {
  switch (change.trigger) {
    case 'message.created':
    case 'message.updated':
      return withMetadata(tx, at, change.object)
    case 'event.created':
    case 'event.updated':
    case 'event.deleted':
      return withEventMetadata(tx, at, change)
    case 'calendar.created':
    case 'calendar.updated':
    case 'calendar.deleted':
      return withCalendarMetadata(tx, at, change)
    default:
      return change.object
  }
}

/** Where watching goes on. */
export interface Place {
  cursor: string | undefined
  /** Milliseconds, in whole seconds: most providers date what happens no finer. */
  notifyFrom: number
  /** Where watching begins: the same to the millisecond, for what is dated finer. */
  beganAt?: number
}

const beginningAt = (at: number): Place => ({ cursor: undefined, notifyFrom: wholeSeconds(at), beganAt: at })

const wholeSeconds = (milliseconds: number): number => seconds(milliseconds) * 1000

/** Where the watch of a grant goes on: from its cursor, or from now where there is none or the 72-hour rule says so. */
export function placeOf(row: WatchRow | undefined, { createdAt, updatedAt }: GrantRecord): Place {
  if (!row) return beginningAt(createdAt)
  const here = { cursor: row.cursor, notifyFrom: row.told_from }
  if (row.authenticated_at === updatedAt) return here
  const backfill = backfillOf('sync', {
    firstAuthenticatedAt: createdAt,
    acceptedAt: row.authenticated_at,
    ...(row.synced_at === null ? {} : { syncedAt: row.synced_at }),
    reauthenticatedAt: updatedAt,
  })
  // What was missed stands behind the cursor: the position says it better than the clocks of two machines.
  return backfill.told === 'from_now' ? beginningAt(backfill.from) : here
}

/** What `work` comes to, or a rejection when the signal aborts before: nobody waits for a provider that does not listen. */
export async function unlessAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  return untilAborted(work(), signal)
}
