/**
 * Reads all changes of one grant from its cursor on. The notifications and the new cursor are written in one
 * transaction, so nothing is reported twice or lost. The transaction locks the shard and the grant: a node that lost
 * the shard writes nothing, nor does a watch of a grant that has changed.
 */
import type { ItipMail } from '@waypost/formats/itip/mail'
import { type Clock, seconds } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { untilAborted } from '@waypost/platform/egress/deadline'
import type { ParsePool } from '@waypost/platform/parsing/pool'
import type { Span } from '@waypost/platform/span'
import { gatherContacts } from '@waypost/providers/contacts/gathering'
import type { Correspondent } from '@waypost/providers/contacts/tables'
import type {
  Change,
  ChangeSource,
  FoundChanges,
  RefusedPart,
  RequestedTrigger,
  SinceOptions,
} from '@waypost/providers/provider'
import { messageNamesOf } from '@waypost/providers/registry'
import type { Database, Queries } from '@waypost/store/engine/database'
import { contactTables } from '@waypost/store/tables/calendars-contacts/contacts'
import { type GrantRecord, getGrant } from '@waypost/store/tables/grants/grants'
import { type HeldShard, holdShard } from '@waypost/store/tables/grants/watch-shards'
import {
  holdWatchedGrant,
  noteFirstRead,
  readWatch,
  saveWatch,
  touchWatch,
  type WatchAddress,
  type WatchRow,
} from '@waypost/store/tables/grants/watches'
import { type Mailbox, withMetadata } from '@waypost/store/tables/mail/message-metadata'
import { placeMemory, savePlaces } from '@waypost/store/tables/mail/message-places'
import { readRequested } from '@waypost/store/tables/notifications/webhooks'
import type { Notify, Sync } from '../grants/notify.ts'
import type { Sessions } from '../grants/sessions.ts'
import { noticeBounce, noticeReply } from '../sending/replies/replies.ts'
import { backfillOf, isReported } from './backfill.ts'
import {
  type Cleaning,
  cleanArrived,
  type MessageCame,
  notifyFirstRead,
  withCalendarMetadata,
  withCleaning,
  withEventMetadata,
} from './change-objects.ts'
import { queueItip } from './itip-mails.ts'

type StoredWatch = Omit<WatchRow, 'first_read_at'> & { cursor: string }

/** A grant that this node watches. */
export interface Watch extends WatchAddress, HeldShard {
  /** The grant's mark when the watch began; if it changes, a new watch replaces this one. */
  readonly mark: number
  /** Consecutive failures. */
  failures: number
  /** After a failure: the time of the next try. */
  retryAt: number
  /** When changes were last fetched completely, and the time recorded in the store. */
  syncedAt: number
  storedAt: number
  opened: OpenSource | undefined
  /** The provider kind, once the grant was read. */
  provider?: string
  /** The trace span of the running sync. */
  span?: Span | undefined
  /** Ends the wait for changes; absent while not waiting, or if the provider never reports changes. */
  wakeWatch?: (() => void) | undefined
  /** The provider reported changes during the sync, so there may be more. */
  isWoken?: boolean
  /** The push subscription is about to end; the next sync renews it. */
  renewPush?: boolean
  /** How the next changes were noticed; absent: by polling. */
  sync?: Sync
}

/** The open session at the provider. */
export interface OpenSource {
  readonly record: GrantRecord
  readonly source: ChangeSource<unknown>
  readonly session: unknown
  /** The provider can report changes. */
  readonly isReported: boolean
  /** Aborts when the session ends. */
  readonly controller: AbortController
}

/** Another node has the shard, or the grant has changed: the watch ends. */
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
  /** Threads that clean new messages. */
  parse: Pick<ParsePool, 'run'>
  /** Deadline for one request to a provider. */
  answerMs?: number
  /** Called for parts of an account whose changes the provider refuses to report. */
  refused?(watch: Watch, part: RefusedPart): void
}

export interface ChangeReader {
  open(watch: WatchAddress & Pick<Watch, 'span'>): Promise<OpenSource>
  /** Fetches all changes. */
  sync(watch: Watch, opened: OpenSource): Promise<void>
  /** Records when changes were last fetched completely, before an outage begins. */
  touch(watch: Watch): Promise<void>
}

/** Without changes, the time of the last complete sync is recorded this often. */
const noteMs = 1_800_000
/** Before an outage it is recorded if the stored time is older than this. */
const staleMs = 60_000

export function createChangeReader(options: ChangeReaderOptions): ChangeReader {
  const { database, clock, sessions, seals, nodeId, answerMs = 120_000 } = options

  async function ask(
    { source, session, controller }: OpenSource,
    { cursor, notifyFrom, beganAt }: Place,
    { renewPush, ...requests }: { renewPush: boolean } & Requests,
  ): ReturnType<ChangeSource<unknown>['since']> {
    const late = setTimeout(() => controller.abort(new Error('the provider took too long to report changes')), answerMs)
    const requested = { notBefore: notifyFrom, beganAt, ...requests, ...(renewPush ? { renewPush } : {}) }
    try {
      return await unlessAborted(() => source.since(session, cursor, requested), controller.signal)
    } finally {
      clearTimeout(late)
    }
  }

  /** Requests changes like `ask`. A requested renewal of push stays pending until everything is fetched. */
  async function askRenewing(
    watch: Watch,
    opened: OpenSource,
    { place, requests }: { place: Place; requests: Requests },
  ): ReturnType<typeof ask> {
    const renewPush = watch.renewPush ?? false
    watch.renewPush = false
    let isDone = false
    try {
      const found = await ask(opened, place, { renewPush, ...requests })
      isDone = !found.more
      return found
    } finally {
      if (renewPush && !isDone) watch.renewPush = true
    }
  }

  /**
   * Cleans the new messages before the transaction, which must be short. Whether the application requests them is read
   * after the poll, so that a message that arrived after the subscription is never missed.
   */
  async function clean(
    { controller, record }: OpenSource,
    reported: readonly Change[],
  ): Promise<ReadonlyMap<Change, Cleaning> | undefined> {
    const arrived = reported.filter((change): change is MessageCame => change.trigger === 'message.created')
    if (arrived.length === 0) return undefined
    const requested = await readRequested(database, record.applicationId)
    if (!requested.has('message.created.cleaned')) return undefined
    return cleanArrived(options.parse, arrived, { signal: controller.signal, owner: record.grant.id })
  }

  return {
    async open(watch) {
      const { applicationId, grantId } = watch
      const record = await getGrant(database, applicationId, grantId)
      if (!record) throw new Outdated('the grant was deleted')
      const provider = sessions.providerOf(record, 'changes')
      if (!provider.changes) throw new Error(`${provider.kind} does not report changes`)
      const controller = new AbortController()
      const use = {
        queries: database,
        signal: () => controller.signal,
        responseHeaders: {},
        // A session outlives many syncs, each of which has its own trace.
        get span() {
          return watch.span
        },
      }
      const session = sessions.open(record, 'changes', use)
      return { record, source: provider.changes, session, isReported: provider.receive !== undefined, controller }
    },
    async sync(watch, opened) {
      for (;;) {
        const [row, requested] = await Promise.all([
          readWatch(database, watch, seals),
          readRequested(database, watch.applicationId),
        ])
        const place = placeOf(row, opened.record)
        const requestedAt = clock.now()
        const places = requested.has('message.deleted') ? placeMemory(database, watch) : undefined
        const found = await askRenewing(watch, opened, { place, requests: { requested, places } })
        const { changes, cursor, more = false, people = [], refused = [] } = found
        for (const each of refused) options.refused?.(watch, each)
        if (more && cursor === place.cursor)
          throw new Error('the provider says that there are more changes but returns the same cursor')
        const reported = changes.filter(({ happenedAt }) =>
          isReported({ reported: 'missed', from: place.notifyFrom }, happenedAt),
        )
        const syncedAt = more ? (row?.synced_at ?? null) : requestedAt
        const authenticatedAt = opened.record.updatedAt
        const isFirstRead = found.isRead === true && (row?.first_read_at ?? null) === null
        const isNothing = reported.length === 0 && people.length === 0 && !isFirstRead
        const same = row?.cursor === cursor && row.authenticated_at === authenticatedAt && isNothing
        if (!same || more || requestedAt - (row.synced_at ?? 0) >= noteMs) {
          const cleaned = await clean(opened, reported)
          await keepChanges(
            options,
            { watch, record: opened.record },
            { changes: reported, people, cleaned, places: found.places, isFirstRead, requested },
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

/** The triggers on request that the application requests, and what they need. */
type Requests = Required<Pick<SinceOptions, 'requested'>> & Pick<SinceOptions, 'places'>

interface StoredPlace {
  changes: readonly Change[]
  people: readonly Correspondent[]
  /** The cleaned texts of new messages, if the application requests them. */
  cleaned: ReadonlyMap<Change, Cleaning> | undefined
  places: FoundChanges['places']
  /** All mail of the account was read for the first time. */
  isFirstRead: boolean
  requested: ReadonlySet<RequestedTrigger>
}

/** Writes notifications, collected contacts and the new cursor in one transaction. */
async function keepChanges(
  options: ChangeReaderOptions,
  { watch, record }: { watch: Watch; record: GrantRecord },
  { changes, people, cleaned, places, isFirstRead, requested }: StoredPlace,
  row: StoredWatch,
): Promise<void> {
  const { database, nodeId, notify, seals } = options
  const { applicationId, grantId } = watch
  const { grant } = record
  await database.transaction(async (tx) => {
    if (!(await holdShard(tx, nodeId, watch))) throw new Outdated('another node watches the shard')
    if (!(await holdWatchedGrant(tx, watch, watch.mark))) throw new Outdated('the grant has changed')
    const about = { applicationId, grantId, provider: grant.provider }
    for (const change of changes) {
      const object = await wholeObject(tx, { applicationId, grantId, ...messageNamesOf(grant) }, change)
      const sync = change.polled ? 'incremental' : (watch.sync ?? 'incremental')
      await notify(tx, { ...about, sync, trigger: change.trigger, suffix: change.suffix, object })
      const cleaning = cleaned?.get(change)
      if (cleaning) {
        const clean = withCleaning(object, cleaning)
        await notify(tx, { ...about, sync, trigger: 'message.created.cleaned', object: clean })
      }
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
    if (places) await savePlaces(tx, watch, places)
    if (isFirstRead && (await noteFirstRead(tx, watch, options.clock.now())))
      await notifyFirstRead(tx, { notify, record, requested })
    await saveWatch(tx, watch, row, seals)
  })
  watch.storedAt = row.synced_at ?? 0
}

const itipIn = (changes: readonly Change[]): ItipMail[] => changes.flatMap(({ itip }) => itip ?? [])

/** Relates a new message to a sent one: as a delivery report about it, or as a reply. */
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

/** Adds the metadata that Waypost stores. For deleted objects there is none. */
async function wholeObject(tx: Queries, at: Mailbox, change: Change): Promise<object> {
  switch (change.trigger) {
    case 'message.created':
    case 'message.updated':
    case 'message.deleted':
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

/** The position of a watch. */
export interface Place {
  cursor: string | undefined
  /** Milliseconds in whole seconds: most providers have no finer dates. */
  notifyFrom: number
  /** The start of watching in milliseconds, for providers with finer dates. */
  beganAt?: number
}

const beginningAt = (at: number): Place => ({ cursor: undefined, notifyFrom: wholeSeconds(at), beganAt: at })

const wholeSeconds = (milliseconds: number): number => seconds(milliseconds) * 1000

/** The position of a grant's watch: its cursor, or now if there is none or the 72-hour rule requires it. */
export function placeOf(
  row: Omit<WatchRow, 'first_read_at'> | undefined,
  { createdAt, updatedAt }: GrantRecord,
): Place {
  if (!row) return beginningAt(createdAt)
  const here = { cursor: row.cursor, notifyFrom: row.told_from }
  if (row.authenticated_at === updatedAt) return here
  const backfill = backfillOf('sync', {
    firstAuthenticatedAt: createdAt,
    acceptedAt: row.authenticated_at,
    ...(row.synced_at === null ? {} : { syncedAt: row.synced_at }),
    reauthenticatedAt: updatedAt,
  })
  // Missed changes come after the cursor, which is more reliable than the clocks of two machines.
  return backfill.reported === 'from_now' ? beginningAt(backfill.from) : here
}

/**
 * The result of `work`, or a rejection when the signal aborts first: a provider that ignores the signal is not waited
 * for.
 */
export async function unlessAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  return untilAborted(work(), signal)
}
