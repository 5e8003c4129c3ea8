/**
 * Groups messages into threads. A message names its ancestors (References, In-Reply-To; RFC 5322 §3.6.4), the root of
 * the thread first, and the root identifies the thread. Some mail clients name only the direct parent; then the chain
 * is followed from parent to parent.
 */
import type { ImapFlow } from 'imapflow'
import { atom, execute, fetchOneByUid } from '../client/commands.ts'
import type { Entry, Group } from '../entry.ts'
import { threadId } from '../mapping/ids.ts'
import type { Session } from '../session.ts'
import { compare } from './copies.ts'
import { allCompleteSince } from './groups.ts'
import { header, type Keys, searchDay, searchUidsOfAny } from './search.ts'

/** How many rounds of searches collect replies to members of a thread. */
const maxRounds = 4

/** For this many threads it is worth indexing the whole account, if it is small enough. */
const manyAtOnce = 10

/** At most this many parents are recorded as searched for. */
const maxSought = 10_000

/** The thread ids of messages. Parents that are not in the indexes are searched for on the server. */
export async function threadIdsOf(session: Session, groups: readonly Group[]): Promise<string[]> {
  const { mailbox } = session
  const sought = mailbox.searchedParents
  // A message with a single reference may name a parent in the middle of the thread.
  const orphans = groups.flatMap(({ entries: [entry] }) => {
    const [only, ...others] = entry?.references ?? []
    const isOnly = only !== undefined && others.length === 0
    return isOnly && !sought.has(only) && !mailbox.merged().named(only) ? [only] : []
  })
  if (orphans.length > 0 && mailbox.indexes().some((index) => !index.isComplete)) {
    await addMatching(
      session,
      [...new Set(orphans)].map((id) => header('Message-ID', id)),
    )
    if (sought.size > maxSought) sought.clear()
    for (const id of orphans) sought.add(id)
  }
  const known = mailbox.merged()
  return groups.map((group) => threadId(known.rootOf(group)))
}

/** Adds the matches of any of the keys to the indexes, from every folder whose index is incomplete. */
async function addMatching(session: Session, keys: readonly Keys[], mates = false): Promise<Entry[]> {
  const { mailbox, io } = session
  const found = await Promise.all(
    mailbox.indexes().map((index) => {
      if (index.isComplete) return []
      return mailbox.onIndex(index.path, io.signal, async (client) => {
        const uids = await searchUidsOfAny(client, keys)
        const all = mates ? await threadMates(client, uids) : uids
        return index.add(client, all)
      })
    }),
  )
  return found.flat()
}

/** The members of threads, by root. The indexes must be up to date. */
export async function membersOf(
  session: Session,
  roots: readonly string[],
): Promise<ReadonlyMap<string, readonly Group[]>> {
  const { mailbox, io } = session
  if (partsOf(session, roots).length >= manyAtOnce) await mailbox.indexAll(io.signal)
  await gather(session, partsOf(session, roots))
  const members = () => new Map(roots.map((root) => [root, mailbox.merged().thread(root)]))
  while (await compare(session, [...members().values()].flat())) io.signal.throwIfAborted()
  return members()
}

/** Threads that may have members outside the indexes. Replies arrive after their parent, give or take a day. */
function partsOf({ mailbox }: Session, roots: readonly string[]): string[] {
  const from = allCompleteSince(mailbox.indexes())
  const known = mailbox.merged()
  return roots.filter((root) => {
    const first = known.named(root) ?? known.get(root)
    return first === undefined ? from !== Number.NEGATIVE_INFINITY : first.date < from
  })
}

/** Loads all members of threads into the indexes: messages that name the root, then those that name a member. */
async function gather(session: Session, roots: readonly string[]): Promise<void> {
  const requested = new Set<string>()
  let names = [...new Set(roots)]
  for (let round = 0; round < maxRounds && names.length > 0; round++) {
    for (const name of names) requested.add(name)
    const found: Entry[] = []
    for (let at = 0; at < names.length; at += 20) {
      const some = names.slice(at, at + 20)
      const keys = some.flatMap((name) =>
        ['Message-ID', 'References', 'In-Reply-To'].map((field) => header(field, name)),
      )
      found.push(...(await addMatching(session, keys, true)))
    }
    // Replies to a member that do not name the root themselves.
    names = [...new Set(found.flatMap(({ messageId }) => messageId ?? []))].filter((name) => !requested.has(name))
  }
}

/** A thread as a flat sequence, or as a tree from imapflow's parser. */
interface Node {
  numbers?: Uint32Array
  value?: unknown
}
type Tree = Node | Tree[]

/** Only by references; the other algorithms also join messages by subject. */
const method = 'REFS'

/**
 * The messages of the selected folder in the same threads as these. Servers without the command return only these;
 * then replies to replies are searched for.
 */
async function threadMates(client: ImapFlow, uids: readonly number[]): Promise<number[]> {
  if (uids.length === 0 || !client.capabilities.has(`THREAD=${method}`)) return [...uids]
  const wanted = new Set(uids)
  const mates = new Set(uids)
  const attributes = [method, 'UTF-8', 'SINCE', searchDay(await oldest(client, uids))].map(atom)
  await execute(client, 'UID THREAD', attributes, {
    THREAD: (untagged) => {
      for (const thread of (untagged.attributes ?? []) as Tree[]) {
        const members = numbersIn(thread)
        if (members.some((uid) => wanted.has(uid))) for (const uid of members) mates.add(uid)
      }
    },
  })
  return [...mates]
}

/** All numbers of a tree of any depth. */
function numbersIn(tree: Tree): number[] {
  const numbers: number[] = []
  const open: Tree[] = [tree]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) for (const inner of next) open.push(inner)
    else if (next.numbers) for (const uid of next.numbers) numbers.push(uid)
    else if (Number.isSafeInteger(Number(next.value))) numbers.push(Number(next.value))
  }
  return numbers
}

/** A month before the oldest of these messages was received: a thread rarely begins earlier. */
async function oldest(client: ImapFlow, uids: readonly number[]): Promise<number> {
  const message = await fetchOneByUid(client, Math.min(...uids), { internalDate: true })
  const date = new Date(message?.internalDate ?? 0).getTime()
  return Math.max(0, Math.floor(date / 1000) - 30 * 86_400)
}
