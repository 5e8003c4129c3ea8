/**
 * Which messages belong together. A message names those it answers (References, In-Reply-To; RFC 5322 §3.6.4), the first
 * of the thread first; the thread is named by that first one. A program that writes the direct parent only makes a chain,
 * which is followed from answer to answer.
 */
import type { Entry } from './folder-index.ts'
import { type Group, groupEntries } from './mailbox.ts'
import { threadId } from './mapping/ids.ts'
import { header, type Keys, searchUidsOfAny } from './search.ts'
import type { Session } from './session.ts'
import { threadMates } from './thread-command.ts'

/** A chain of answers that is longer than this is cut. */
const chainAtMost = 200
/** How often the members of a thread are asked for their own answers. */
const roundsAtMost = 4

const nameOf = (entry: Entry): string => entry.messageId ?? entry.id

/** By Message-ID, the references of what the indexes know. */
export function knownReferences(session: Session): Map<string, readonly string[]> {
  const known = new Map<string, readonly string[]>()
  for (const index of session.mailbox.indexes()) {
    for (const { messageId, references } of index.entries) {
      if (messageId !== undefined && !known.has(messageId)) known.set(messageId, references)
    }
  }
  return known
}

/** The first message of an entry's thread, as far as the known messages tell. */
export function rootOf(entry: Entry, known: ReadonlyMap<string, readonly string[]>): string {
  let root = entry.references[0] ?? nameOf(entry)
  const seen = new Set([root])
  for (let step = 0; step < chainAtMost; step++) {
    const above = known.get(root)?.[0]
    if (above === undefined || seen.has(above)) break
    root = above
    seen.add(root)
  }
  return root
}

/** The ids of the threads of messages. Parents that the indexes do not know are looked for at the server. */
export async function threadIdsOf(session: Session, groups: readonly Group[]): Promise<string[]> {
  let known = knownReferences(session)
  // Who names one message only may name a parent in the middle of the thread.
  const orphans = groups.flatMap(({ entries: [entry] }) => {
    const [only, ...others] = entry?.references ?? []
    return only !== undefined && others.length === 0 && !known.has(only) ? [only] : []
  })
  if (orphans.length > 0 && session.mailbox.indexes().some((index) => !index.isWhole)) {
    await addMatching(
      session,
      [...new Set(orphans)].map((id) => header('Message-ID', id)),
    )
    known = knownReferences(session)
  }
  return groups.map(({ entries: [entry] }) => threadId(entry ? rootOf(entry, known) : ''))
}

/** Adds to the indexes whatever the server finds for any of some keys, in every folder that is not known whole. */
async function addMatching(session: Session, keys: readonly Keys[], mates = false): Promise<Entry[]> {
  const { mailbox, io } = session
  const found = await Promise.all(
    mailbox.indexes().map((index) => {
      if (index.isWhole) return []
      return mailbox.inTurn(index.path, () =>
        mailbox.in(index.path, { signal: io.signal }, async (client) => {
          const uids = await searchUidsOfAny(client, keys)
          const all = mates ? await threadMates(client, uids) : uids
          return index.add(client, all)
        }),
      )
    }),
  )
  return found.flat()
}

/** The members of threads, by the first message of each. The indexes were renewed before. */
export async function membersOf(session: Session, roots: readonly string[]): Promise<Map<string, Group[]>> {
  if (session.mailbox.indexes().some((index) => !index.isWhole)) await gather(session, roots)
  const known = knownReferences(session)
  const wanted = new Set(roots)
  const byRoot = Map.groupBy(
    session.mailbox.groups().filter(({ entries: [entry] }) => entry && wanted.has(rootOf(entry, known))),
    ({ entries: [entry] }) => (entry ? rootOf(entry, known) : ''),
  )
  return byRoot
}

/** Brings all members of threads into the indexes: those that name the first message, then those that name a member. */
async function gather(session: Session, roots: readonly string[]): Promise<void> {
  const asked = new Set<string>()
  let names = [...new Set(roots)]
  for (let round = 0; round < roundsAtMost && names.length > 0; round++) {
    for (const name of names) asked.add(name)
    const found: Entry[] = []
    for (let at = 0; at < names.length; at += 20) {
      const some = names.slice(at, at + 20)
      const keys = some.flatMap((name) =>
        ['Message-ID', 'References', 'In-Reply-To'].map((field) => header(field, name)),
      )
      found.push(...(await addMatching(session, keys, true)))
    }
    // Answers to a member that do not name the first message themselves.
    names = [...new Set(found.flatMap(({ messageId }) => messageId ?? []))].filter((name) => !asked.has(name))
  }
}

/** Copies of the members of one thread, newest first. */
export const allEntries = (groups: readonly Group[]): Group[] => groupEntries(groups.flatMap(({ entries }) => entries))
