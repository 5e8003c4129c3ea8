/**
 * What happens to the mail of an account, by a delta query for each folder: each change is told once, because where it goes
 * on is kept with what was told. A message that is moved goes from one folder and comes to another: by its id, which stays,
 * it is known that it is no new one. Where Graph has forgotten what a folder was like, the messages that came since the last
 * look are found among all that are in it.
 */
import { ApiError } from '../../../lib/api-error.ts'
import { clockSeconds } from '../../mail/message-notifications.ts'
import { recentOf, slackSeconds, withRecent } from '../../mail/told-messages.ts'
import type { Change, SinceOptions } from '../../provider.ts'
import { hasAnyScope, type PartFound, pushedSeconds, type WatchedPart } from '../../shared/watched-parts.ts'
import { isMissing } from '../errors.ts'
import { isSubscribed } from '../kept-subscription.ts'
import type { Session } from '../session.ts'
import { type Delta, type DeltaItem, messagesCall, readDeltas, treeCall } from './delta.ts'
import { type Mailbox, mailboxFor, readingScopes } from './mail-api.ts'
import { dateOf } from './mapping/message.ts'
import { messageNotifications } from './message-notifications.ts'
import { keepMailSubscription } from './subscription.ts'
import type { MailState, WatchedFolder } from './watch-state.ts'
import { applyTreeChanges, readTreeChanges } from './watched-folders.ts'

/** So many messages are told at a time; more in several rounds. */
const toldAtOnce = 200

async function since(
  session: Session,
  state: MailState | undefined,
  options: SinceOptions,
): Promise<PartFound<MailState>> {
  const mailbox = mailboxFor(session)
  const found = state ? await goOn(mailbox, state, options) : await begin(mailbox, options)
  if (found.more) return found
  const push = await keepMailSubscription(session, found.state.push, options)
  return {
    ...found,
    state: { ...found.state, push },
    ...(isSubscribed(push) ? { again: Math.max(pushedSeconds, session.io.pollSeconds) } : {}),
  }
}

/** Begins to watch; what came since the grant was made is told, so that nothing falls between. */
async function begin(mailbox: Mailbox, options: SinceOptions): Promise<PartFound<MailState>> {
  const tree = await readTreeChanges(mailbox, undefined)
  const { folders } = await applyTreeChanges(mailbox, {}, tree)
  const watched = Object.entries(folders).map(([id, folder]) => [id, { ...folder, from: options.notBefore }])
  const at = mailbox.session.io.clock.now()
  const state: MailState = { folders: Object.fromEntries(watched), tree: tree.link, at, recent: {} }
  return look(mailbox, state, { ...options, changes: [], deltas: undefined })
}

/** What a grant may be told of came after this, in seconds. */
const createdOf = ({ session }: Mailbox): number => (session.grant.created_at ?? 0) - clockSeconds

const callsOf = (mailbox: Mailbox, folders: MailState['folders']) =>
  Object.entries(folders).map(([id, { link }]) => messagesCall(mailbox, id, { link, created: createdOf(mailbox) }))

/** One request asks for what happened to the folders and in each of them. */
async function goOn(mailbox: Mailbox, state: MailState, options: SinceOptions): Promise<PartFound<MailState>> {
  const [first, ...deltas] = await readDeltas(mailbox, [
    treeCall(mailbox, state.tree),
    ...callsOf(mailbox, state.folders),
  ])
  const tree = await readTreeChanges(mailbox, first)
  const answers = new Map(Object.keys(state.folders).map((id, place) => [id, deltas[place]]))
  const { folders, changes } = await applyTreeChanges(mailbox, state.folders, tree)
  return look(mailbox, { ...state, folders, tree: tree.link }, { ...options, changes, deltas: answers })
}

type Deltas = ReadonlyMap<string, Delta | 'resync' | ApiError | undefined>

interface Looking extends SinceOptions {
  /** What is told of the folders. */
  changes: Change[]
  /** What was read of their messages already. */
  deltas: Deltas | undefined
}

/** Tells what happened in the folders, one page of each. */
async function look(
  mailbox: Mailbox,
  state: MailState,
  { changes, deltas, notBefore }: Looking,
): Promise<PartFound<MailState>> {
  const now = mailbox.session.io.clock.now()
  const found = foundIn(mailbox, state, deltas ?? (await firstDeltas(mailbox, state)), notBefore)
  const { come, changed, folders, more } = found
  const messages = await messageNotifications(mailbox, {
    come: [...come],
    changed: [...changed.difference(come)],
    notBefore,
  })
  const told = messages.flatMap(({ trigger, object }) => (trigger === 'message.created' ? [object] : []))
  const next = withRecent({ ...state, folders, at: more ? state.at : now }, told)
  return { changes: [...changes, ...messages], state: next, ...(more ? { more } : {}) }
}

async function firstDeltas(mailbox: Mailbox, { folders }: MailState): Promise<Deltas> {
  const deltas = await readDeltas(mailbox, callsOf(mailbox, folders))
  return new Map(Object.keys(folders).map((id, place) => [id, deltas[place]]))
}

interface Found {
  come: Set<string>
  changed: Set<string>
  folders: MailState['folders']
  more: boolean
}

function foundIn(mailbox: Mailbox, state: MailState, deltas: Deltas, notBefore: number): Found {
  const come = new Set<string>()
  const changed = new Set<string>()
  const folders: MailState['folders'] = {}
  const judge = judgeOf(state)
  let more = false
  for (const [id, folder] of Object.entries(state.folders)) {
    const delta = deltas.get(id)
    if (delta instanceof ApiError && !isMissing(delta)) throw delta
    // A folder that was just found, or is just going, is looked at in the next round.
    if (delta === undefined || delta instanceof ApiError || come.size + changed.size >= toldAtOnce) {
      folders[id] = folder
      more ||= !(delta instanceof ApiError)
      continue
    }
    if (delta === 'resync') {
      folders[id] = anew(mailbox, folder, Math.max(notBefore, state.at - slackSeconds * 1000))
      more = true
      continue
    }
    for (const item of delta.items) judge(folder, item, { come, changed })
    const { from: _, ...rest } = folder
    folders[id] = { ...(delta.more ? folder : rest), link: delta.link }
    more ||= delta.more
  }
  return { come, changed, folders, more }
}

/** A folder that is read from its beginning because Graph has forgotten what it was like. */
function anew({ session }: Mailbox, { link: _, ...folder }: WatchedFolder, from: number): WatchedFolder {
  session.io.log.warn(
    { grant_id: session.grant.id },
    'Microsoft has forgotten what a folder was like at the last look; messages are looked for by their dates',
  )
  return { ...folder, from }
}

/** Says of a message whether it came, changed or neither. */
function judgeOf(state: MailState) {
  const recent = recentOf(state)
  return (folder: WatchedFolder, item: DeltaItem, { come, changed }: Pick<Found, 'come' | 'changed'>): void => {
    if (item['@removed'] !== undefined || item.isDraft) return
    const isKnown = recent.has(item.id)
    const received = item.receivedDateTime === undefined ? undefined : dateOf(item) * 1000
    if (folder.from !== undefined) {
      // Not all that is in a folder has changed.
      if (!isKnown && received !== undefined && received >= folder.from - 1000) come.add(item.id)
      return
    }
    const isNew = !isKnown && received !== undefined && received >= state.at - slackSeconds * 1000
    ;(isNew ? come : changed).add(item.id)
  }
}

export const mail: WatchedPart<Session, MailState> = {
  name: 'mail',
  isWatched: (session) => hasAnyScope(session, readingScopes),
  since,
}
