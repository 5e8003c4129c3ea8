/**
 * Hears the answers of a server before imapflow does. imapflow takes every response apart into a tree, writes it down again
 * for a log, and of FETCH makes it a text once more for each item: that takes longer than all else that is done for a list.
 * Responses of the plain form, which nearly all are, are read here, once and from left to right; all others are left to
 * imapflow, and so is everything where it does not let itself be overheard.
 */
import type { FetchMessageObject, FetchOptions, FetchQueryObject, ImapFlow } from 'imapflow'
import { type Plain, type Response, readFetch, readPlain } from './answers.ts'

/** What is used of imapflow's insides. */
interface Inside {
  handleResponse?(response: Response): Promise<boolean>
  getUntaggedHandler?(
    command: string,
    attributes: Plain['attributes'],
  ): ((response: Plain) => Promise<void>) | undefined
}

type Hear = (message: FetchMessageObject) => void

/** Who is told of the messages that a connection fetches. */
const hearers = new WeakMap<ImapFlow, Hear>()

/** Overhears a connection, from now on. */
export function overhear(client: ImapFlow): void {
  const inside = client as unknown as Inside
  const others = inside.handleResponse?.bind(client)
  const handlerOf = inside.getUntaggedHandler?.bind(client)
  if (!others || !handlerOf) return
  inside.handleResponse = async (response) => {
    const hear = hearers.get(client)
    const message = hear && readFetch(response)
    if (message) {
      remember(client, message)
      hear(message)
      return true
    }
    const plain = readPlain(response)
    const handler = plain && handlerOf(plain.command, plain.attributes)
    if (!handler) return others(response)
    // One that nobody can make sense of is passed over.
    await handler(plain).catch(() => undefined)
    return true
  }
}

/** Fetches messages of the selected folder; `hear` is told of each as it comes. */
export async function fetchAnswers(
  client: ImapFlow,
  { range, query, options }: { range: string; query: FetchQueryObject; options: FetchOptions },
  hear: Hear,
): Promise<void> {
  if (hearers.has(client)) throw new Error('A connection does one thing at a time')
  hearers.set(client, hear)
  try {
    for await (const message of client.fetch(range, query, options)) hear(message)
  } finally {
    hearers.delete(client)
  }
}

/** What imapflow learns of the folder from answers. */
function remember({ mailbox }: ImapFlow, { uid, modseq = 0n }: FetchMessageObject): void {
  if (!mailbox) return
  if (uid >= (mailbox.uidNext || 0)) mailbox.uidNext = uid + 1
  if (modseq > (mailbox.highestModseq || 0n)) mailbox.highestModseq = modseq
}
