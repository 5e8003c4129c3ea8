/**
 * Changes of the mail of an account, by Gmail's history. The cursor stores the history id together with the messages
 * that were notified, so each record is notified once. If Gmail has dropped the history, messages since the last poll
 * are searched by date, and those that were notified already are skipped.
 */
import { ApiError } from '@waypost/platform/api-error'
import { list, object, type Read, readableItems, text } from '@waypost/platform/json/reader'
import { deletedMessages } from '../../mail/deleted-messages.ts'
import { recentOf, slackSeconds, type ToldMessages, withRecent } from '../../mail/reported-messages.ts'
import type { Change, SinceOptions } from '../../provider.ts'
import { listChanges } from '../../shared/list-changes.ts'
import type { PushSubscription, StoredSubscription } from '../../shared/push-subscription.ts'
import { providerStatus } from '../../shared/refusal.ts'
import { hasAnyScope, type PartFound, pushedSeconds, type WatchedPart } from '../../shared/watched-parts.ts'
import type { BatchCall, Session } from '../session.ts'
import { type GmailLabel, isMetadataOnly, labelledMessage, me } from './gmail-api.ts'
import { listIds } from './listing.ts'
import { fromLabel } from './mapping/label.ts'
import { isUnnotified, messageNotifications } from './message-notifications.ts'
import { isWatched, keepWatch } from './push-watch.ts'

const scopes = ['gmail.readonly', 'gmail.modify', 'gmail.metadata'].map(
  (name) => `https://www.googleapis.com/auth/${name}`,
)
const watching = new Set([...scopes, 'https://mail.google.com/'])

/** Records per round; more take several rounds. */
const recordsAtOnce = 100
/** Messages per round when the watch searches by date; more messages take several rounds. */
const messagesAtOnce = 100

const historyMessage = object({ message: labelledMessage }, { labelIds: list(text) })
const historyRecord = object(
  { id: text },
  {
    messagesAdded: list(historyMessage),
    messagesDeleted: list(historyMessage),
    labelsAdded: list(historyMessage),
    labelsRemoved: list(historyMessage),
  },
)

const label = object({ id: text, name: text }, { type: text })

/**
 * The answers for the history, the profile and the list of labels. A label that is missing in the list was deleted.
 */
const readAnswer = object(
  {},
  { history: readableItems(historyRecord), nextPageToken: text, historyId: text, labels: list(label) },
)
type Answer = Read<typeof readAnswer>

/** The messages that one poll found, each once. */
interface MailPoll {
  come: Set<string>
  changed: Set<string>
  /** Messages that were deleted for good: Gmail moves a message to the trash by a label. */
  deleted?: Set<string>
  /** If they were searched by date: the start, in milliseconds. */
  from?: number
}

const labelsCall = { path: `${me}/labels`, query: { fields: 'labels(id,name,type)' } }

/** Makes several calls as one request. */
const ask = (session: Session, ...calls: BatchCall[]): Promise<(Answer | ApiError)[]> =>
  session.batch('gmail', calls, readAnswer)

function whole(answer: Answer | ApiError | undefined): Answer {
  if (answer instanceof ApiError) throw answer
  return answer ?? {}
}

/** The current history id, and the labels. */
async function position(session: Session): Promise<{ historyId: string; labels: GmailLabel[] }> {
  const profile = { path: `${me}/profile`, query: { fields: 'historyId' } }
  const [now, labels] = await ask(session, profile, labelsCall)
  return { historyId: whole(now).historyId ?? '1', labels: whole(labels).labels ?? [] }
}

async function since(
  session: Session,
  state: MailState | undefined,
  options: SinceOptions,
): Promise<PartFound<MailState>> {
  const now = session.io.clock.now()
  const found = await pollFrom(session, state, now, options)
  if (found.more) return found
  const push = await keepWatch(session, found.state.push)
  return {
    ...found,
    state: { ...found.state, push },
    ...(isWatched(push) ? { again: Math.max(pushedSeconds, session.io.pollSeconds) } : {}),
  }
}

function pollFrom(
  session: Session,
  state: MailState | undefined,
  now: number,
  options: SinceOptions,
): Promise<PartFound<MailState>> {
  if (!state) return begin(session, now, options)
  const { gap, ...rest } = state
  return gap ? fillGap(session, rest, { gap, labels: [], ...options }) : resume(session, state, now, options)
}

/** Starts the watch. Messages since the grant was created are notified, so that none is missed. */
async function begin(
  session: Session,
  now: number,
  { notBefore }: { notBefore: number },
): Promise<PartFound<MailState>> {
  const { historyId, labels } = await position(session)
  const state: MailState = { historyId, at: now, labels: namesOf(labels), recent: {} }
  return fillGap(session, state, { gap: { from: notBefore }, labels: [], notBefore })
}

/** The records since a history id; deletions only if they are requested. */
const historyQuery = (startHistoryId: string, withDeleted: boolean): BatchCall['query'] => ({
  startHistoryId,
  historyTypes: ['messageAdded', 'labelAdded', 'labelRemoved', ...(withDeleted ? ['messageDeleted'] : [])],
  maxResults: recordsAtOnce,
  fields: `history(id,messagesAdded/message(id,labelIds),${withDeleted ? 'messagesDeleted/message(id,labelIds),' : ''}labelsAdded(message(id,labelIds),labelIds),labelsRemoved(message(id,labelIds),labelIds)),nextPageToken,historyId`,
})

async function resume(
  session: Session,
  state: MailState,
  now: number,
  { notBefore, requested }: SinceOptions,
): Promise<PartFound<MailState>> {
  const query = historyQuery(state.historyId, requested?.has('message.deleted') ?? false)
  const [answer, listed] = await ask(session, { path: `${me}/history`, query }, labelsCall)
  const labels = whole(listed).labels ?? []
  if (providerStatus(answer) === 404) return afterGap(session, state, { now, labels, notBefore })
  const { history = [], nextPageToken, historyId = state.historyId } = whole(answer)
  const last = history.at(-1)?.id
  const more = nextPageToken !== undefined && last !== undefined
  const next = { ...state, historyId: more ? last : historyId, at: more ? state.at : now }
  const found = await tell(session, next, { poll: inspect(history), labels, notBefore })
  return { ...found, ...(more ? { more } : {}) }
}

/** Gmail has dropped the history since the last poll. */
async function afterGap(
  session: Session,
  state: MailState,
  { now, labels, notBefore }: { now: number; labels: GmailLabel[]; notBefore: number },
): Promise<PartFound<MailState>> {
  // The new history id is read first. Messages that arrive meanwhile are found both ways and notified once.
  const { historyId } = await position(session)
  session.io.log.warn(
    { grant_id: session.grant.id },
    'Gmail has forgotten the history since the last look; messages are looked for by their dates',
  )
  const gap = { from: Math.max(notBefore, state.at - slackSeconds * 1000) }
  return fillGap(session, { ...state, historyId, at: now }, { gap, labels, notBefore })
}

interface Filling extends Omit<Finding, 'poll'> {
  gap: NonNullable<MailState['gap']>
}

/** Notifies one page of the messages that arrived in a gap, newest page first. The state contains the next page. */
async function fillGap(
  session: Session,
  state: MailState,
  { gap, labels, notBefore }: Filling,
): Promise<PartFound<MailState>> {
  const { from } = gap
  const page = await cameSince(session, gap)
  const come = new Set(page.ids.map(({ id }) => id).reverse())
  const found = await tell(session, state, { poll: { come, changed: new Set(), from }, labels, notBefore })
  // Without the right to search, all messages are read until a page has none of that time.
  const isPast = isMetadataOnly(session) && !found.changes.some(({ trigger }) => trigger === 'message.created')
  if (page.next === undefined || isPast) return found
  return { ...found, state: { ...found.state, gap: { from, token: page.next } }, more: true }
}

/**
 * One page of the messages since a time in milliseconds. If Gmail has forgotten the page, the first one is read
 * again.
 */
async function cameSince(session: Session, { from, token }: NonNullable<MailState['gap']>) {
  const filters = isMetadataOnly(session) ? {} : { received_after: Math.floor(from / 1000) - 1 }
  const read = (place: string | undefined) =>
    listIds(session, 'messages', { filters, count: messagesAtOnce, token: place })
  return read(token).catch((error: unknown) => {
    if (token === undefined || providerStatus(error) !== 400) throw error
    return read(undefined)
  })
}

/** The messages in records of the history. */
function inspect(history: NonNullable<Answer['history']>): MailPoll {
  const come = new Set<string>()
  const changed = new Set<string>()
  const deleted = new Set<string>()
  for (const { messagesAdded = [], messagesDeleted = [], labelsAdded = [], labelsRemoved = [] } of history) {
    for (const { message } of messagesAdded) come.add(message.id)
    // A sent draft may remain the same message.
    for (const { message, labelIds } of labelsRemoved) (labelIds?.includes('DRAFT') ? come : changed).add(message.id)
    for (const { message } of labelsAdded) changed.add(message.id)
    // Each save of a draft deletes the message that it was.
    for (const { message } of messagesDeleted) if (!isUnnotified(message.labelIds)) deleted.add(message.id)
  }
  return { come, changed: changed.difference(come), deleted }
}

interface Finding {
  poll: MailPoll
  labels: readonly GmailLabel[]
  notBefore: number
}

/** Notifies the messages that were found, and the changes of labels. */
async function tell(
  session: Session,
  state: MailState,
  { poll, labels, notBefore }: Finding,
): Promise<PartFound<MailState>> {
  const recent = recentOf(state)
  const fresh = [...poll.come].filter((id) => !recent.has(id))
  // A message that came and went between two polls is not notified at all.
  const messages = await messageNotifications(session, {
    come: fresh,
    changed: [...poll.changed],
    notBefore,
    from: poll.from,
  })
  const deletedIds = [...(poll.deleted ?? [])].filter((id) => recent.has(id) || !poll.come.has(id))
  const deleted = deletedMessages(deletedIds, { grantId: session.grant.id, happenedAt: session.io.clock.now() })
  const reported = messages.flatMap(({ trigger, object }) => (trigger === 'message.created' ? [object] : []))
  const folders = labels.length === 0 ? [] : folderChanges(session, state, labels)
  const next = labels.length === 0 ? state : { ...state, labels: namesOf(labels) }
  return { changes: [...folders, ...messages, ...deleted], state: withRecent(next, reported) }
}

const folderChanges = ({ grant, io }: Session, state: MailState, labels: readonly GmailLabel[]): Change[] =>
  listChanges({
    kind: 'folder',
    grantId: grant.id,
    happenedAt: io.clock.now(),
    recorded: new Map(Object.entries(state.labels).map(([id, name]) => [id, { name }])),
    listed: labels.map((label) => fromLabel(label, grant.id)),
  })

export const mail: WatchedPart<Session, MailState> = {
  name: 'mail',
  isWatched: (session) => hasAnyScope(session, watching),
  since,
}

interface MailState extends ToldMessages {
  /** The history id to continue from. */
  historyId: string
  /** The names of labels by id. */
  labels: Record<string, string>
  /** While messages are searched by date: the start in milliseconds, and the next page. */
  gap?: { from: number; token?: string }
  /** The push subscription. */
  push?: StoredSubscription<PushSubscription>
}

const namesOf = (labels: readonly GmailLabel[]): Record<string, string> =>
  Object.fromEntries(labels.map(({ id, name }) => [id, name]))
