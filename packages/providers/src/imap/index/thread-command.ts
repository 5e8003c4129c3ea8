/** The THREAD command (RFC 5256): threads of a folder as the server sees them. */
import type { ImapFlow } from 'imapflow'
import { atom, execute, fetchOneByUid } from '../client/commands.ts'
import { searchDay } from './search.ts'

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
export async function threadMates(client: ImapFlow, uids: readonly number[]): Promise<number[]> {
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
