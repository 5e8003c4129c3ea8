/**
 * Changes of the mail of an account, by one delta query for each folder. The cursor stores the delta links together with the
 * messages that were notified, so each change is notified once. A moved message leaves one folder and appears in another; its
 * id stays, so it is not taken for a new one. If Graph no longer knows a delta link, the folder is read as a whole and new
 * messages are recognized by their dates.
 */

import { ApiError } from '@waypost/platform/api-error'
import { deletedMessages } from '../../mail/deleted-messages.ts'
import { isArrival, messageNotifications } from '../../mail/exchange/message-notifications.ts'
import { clockSeconds } from '../../mail/message-notifications.ts'
import type { ToldMessages } from '../../mail/reported-messages.ts'
import { recentOf, slackSeconds, withRecent } from '../../mail/reported-messages.ts'
import type { Change, SinceOptions } from '../../provider.ts'
import type { StoredSubscription } from '../../shared/push-subscription.ts'
import { hasAnyScope, type PartFound, pushedSeconds, type WatchedPart } from '../../shared/watched-parts.ts'
import { isMissing } from '../errors.ts'
import type { Session } from '../session.ts'
import { isSubscribed, keepGraphSubscription, type Subscription } from '../stored-subscription.ts'
import { type Delta, type DeltaItem, messagesCall, readDeltas, treeCall } from './delta.ts'
import { type Mailbox, mailboxFor, readingScopes } from './mail-api.ts'
import { dateOf } from './mapping/message.ts'
import { notifiedMail } from './message-notifications.ts'
import { deletedAmong, silentOf } from './removed-messages.ts'
import type { WatchedFolder } from './watched-folders.ts'
import { applyTreeChanges, readTreeChanges } from './watched-folders.ts'

/** The state of watching the mail of an account, stored in the cursor. */
export interface MailState extends ToldMessages {
  /** By id. */
  folders: Record<string, WatchedFolder>
  /** The delta link of the folder tree. */
  tree: string
  /** Hashed ids of messages whose deletion is not notified, with the seconds at which they were seen. */
  silent?: Record<string, number>
  /** The push subscription. */
  push?: StoredSubscription<Subscription>
}

/** Messages per round; more take several rounds. */
const maxPerRound = 200

async function since(
  session: Session,
  state: MailState | undefined,
  options: SinceOptions,
): Promise<PartFound<MailState>> {
  const mailbox = mailboxFor(session)
  const found = state ? await resume(mailbox, state, options) : await begin(mailbox, options)
  if (found.more) return found
  const push = await keepMailSubscription(session, found.state.push, options)
  return {
    ...found,
    state: { ...found.state, push },
    ...(isSubscribed(push) ? { again: Math.max(pushedSeconds, session.io.pollSeconds) } : {}),
  }
}

/** Starts the watch. Messages since the grant was created are notified, so that none is missed. */
async function begin(mailbox: Mailbox, options: SinceOptions): Promise<PartFound<MailState>> {
  const tree = await readTreeChanges(mailbox, undefined)
  const { folders } = await applyTreeChanges(mailbox, {}, tree)
  const watched = Object.entries(folders).map(([id, folder]) => [id, { ...folder, from: options.notBefore }])
  const at = mailbox.session.io.clock.now()
  const state: MailState = { folders: Object.fromEntries(watched), tree: tree.link, at, recent: {} }
  return readChanges(mailbox, state, { ...options, changes: [], deltas: undefined })
}

/** Older messages are not notified, in seconds. */
const createdOf = ({ session }: Mailbox): number => (session.grant.created_at ?? 0) - clockSeconds

const callsOf = (mailbox: Mailbox, folders: MailState['folders']) =>
  Object.entries(folders).map(([id, { link }]) => messagesCall(mailbox, id, { link, created: createdOf(mailbox) }))

/** Reads the changes of the folder tree and of each folder in one batch. */
async function resume(mailbox: Mailbox, state: MailState, options: SinceOptions): Promise<PartFound<MailState>> {
  const [first, ...deltas] = await readDeltas(mailbox, [
    treeCall(mailbox, state.tree),
    ...callsOf(mailbox, state.folders),
  ])
  const tree = await readTreeChanges(mailbox, first)
  const answers = new Map(Object.keys(state.folders).map((id, place) => [id, deltas[place]]))
  const { folders, changes } = await applyTreeChanges(mailbox, state.folders, tree)
  return readChanges(mailbox, { ...state, folders, tree: tree.link }, { ...options, changes, deltas: answers })
}

type Deltas = ReadonlyMap<string, Delta | 'resync' | ApiError | undefined>

interface FoldersRead extends SinceOptions {
  /** The changes of the folders themselves. */
  changes: Change[]
  /** The deltas of messages that were read already. */
  deltas: Deltas | undefined
}

/** Notifies the changes in the folders, one page of each. */
async function readChanges(
  mailbox: Mailbox,
  state: MailState,
  { changes, deltas, notBefore, requested }: FoldersRead,
): Promise<PartFound<MailState>> {
  const now = mailbox.session.io.clock.now()
  const found = foundIn(mailbox, state, deltas ?? (await firstDeltas(mailbox, state)), notBefore)
  const { arrived, changed, folders, more } = found
  const deletions = requested?.has('message.deleted') ? await deletionsOf(mailbox, state, found) : undefined
  const messages = await messageNotifications(notifiedMail, mailbox, {
    arrived: [...arrived],
    changed: [...changed.difference(arrived)],
    notBefore,
  })
  const notified = messages.flatMap(({ trigger, object }) => (trigger === 'message.created' ? [object] : []))
  const { silent: _, ...rest } = state
  const next = withRecent({ ...rest, folders, at: more ? state.at : now, ...deletions?.state }, notified)
  return { changes: [...changes, ...messages, ...(deletions?.changes ?? [])], state: next, ...(more ? { more } : {}) }
}

/** The messages that were deleted for good, and what is stored so that each is notified once. */
async function deletionsOf(
  mailbox: Mailbox,
  state: MailState,
  { removed, drafts, arrived, changed }: PolledChanges,
): Promise<{ changes: Change[]; state: Pick<MailState, 'silent'> }> {
  const { grant, io } = mailbox.session
  const silent = silentOf(state)
  const at = Math.floor(io.clock.now() / 1000)
  for (const id of drafts) silent.add(id, at)
  // A sent draft is a message.
  for (const id of arrived) silent.delete(id)
  const elsewhere = arrived.union(changed)
  const ids = [...removed.difference(elsewhere)].filter((id) => !silent.has(id))
  const deleted = await deletedAmong(mailbox, ids)
  for (const id of deleted) silent.add(id, at)
  silent.prune(0)
  return {
    changes: deletedMessages(deleted, { grantId: grant.id, happenedAt: io.clock.now() }),
    state: silent.size > 0 ? { silent: silent.stored() } : {},
  }
}

async function firstDeltas(mailbox: Mailbox, { folders }: MailState): Promise<Deltas> {
  const deltas = await readDeltas(mailbox, callsOf(mailbox, folders))
  return new Map(Object.keys(folders).map((id, place) => [id, deltas[place]]))
}

interface PolledChanges {
  arrived: Set<string>
  changed: Set<string>
  /** Messages that left a folder. */
  removed: Set<string>
  drafts: Set<string>
  folders: MailState['folders']
  more: boolean
}

function foundIn(mailbox: Mailbox, state: MailState, deltas: Deltas, notBefore: number): PolledChanges {
  const arrived = new Set<string>()
  const changed = new Set<string>()
  const removed = new Set<string>()
  const drafts = new Set<string>()
  const folders: MailState['folders'] = {}
  const judge = judgeOf(state)
  let more = false
  for (const [id, folder] of Object.entries(state.folders)) {
    const delta = deltas.get(id)
    if (delta instanceof ApiError && !isMissing(delta)) throw delta
    // A folder that was just created or deleted is read in the next round.
    if (delta === undefined || delta instanceof ApiError || arrived.size + changed.size + removed.size >= maxPerRound) {
      folders[id] = folder
      more ||= !(delta instanceof ApiError)
      continue
    }
    if (delta === 'resync') {
      folders[id] = restarted(mailbox, folder, Math.max(notBefore, state.at - slackSeconds * 1000))
      more = true
      continue
    }
    for (const item of delta.items) judge(folder, item, { arrived, changed, removed, drafts })
    const { from: _, ...rest } = folder
    folders[id] = { ...(delta.more ? folder : rest), link: delta.link }
    more ||= delta.more
  }
  return { arrived, changed, removed, drafts, folders, more }
}

/** A folder that is read from the start because Graph no longer knows its delta link. */
function restarted({ session }: Mailbox, { link: _, ...folder }: WatchedFolder, from: number): WatchedFolder {
  session.io.log.warn(
    { grant_id: session.grant.id },
    'Microsoft no longer knows the state of a folder; new messages are found by their dates',
  )
  return { ...folder, from }
}

type MessageChanges = Pick<PolledChanges, 'arrived' | 'changed' | 'removed' | 'drafts'>

/** Decides whether a message arrived, changed or neither. */
function judgeOf(state: MailState) {
  const recent = recentOf(state)
  return ({ from }: WatchedFolder, item: DeltaItem, { arrived, changed, removed, drafts }: MessageChanges): void => {
    if (item['@removed'] !== undefined) {
      removed.add(item.id)
      return
    }
    if (item.isDraft) {
      drafts.add(item.id)
      return
    }
    const received = item.receivedDateTime === undefined ? undefined : dateOf(item) * 1000
    const since = from === undefined ? state.at - slackSeconds * 1000 : from - 1000
    if (isArrival({ name: item.id, received }, { recent, since })) arrived.add(item.id)
    // A folder that is read as a whole also contains messages that did not change.
    else if (from === undefined) changed.add(item.id)
  }
}

export const mail: WatchedPart<Session, MailState> = {
  name: 'mail',
  isWatched: (session) => hasAnyScope(session, readingScopes),
  since,
}

export const keepMailSubscription = (
  session: Session,
  retained: StoredSubscription<Subscription> = {},
  options: Pick<SinceOptions, 'renewPush'> = {},
): Promise<StoredSubscription<Subscription>> =>
  keepGraphSubscription(
    session,
    retained,
    {
      resource: 'messages',
      changeType: 'created,updated',
      refusal: 'Microsoft does not tell of changes of mail: they are asked for',
    },
    options,
  )
