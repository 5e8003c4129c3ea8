/**
 * Commands as the adapter gives them. imapflow has no methods for some, which go through its own door for extensions; and
 * of others it answers with nothing, and no error, when the connection is gone: an empty answer then means a lost one.
 */
import type { FetchMessageObject, FetchOptions, FetchQueryObject, ImapFlow } from 'imapflow'
import { ConnectionFailed } from './errors.ts'

export type Attribute = { type: 'ATOM' | 'LITERAL'; value: string } | string | Attribute[]

/** One untagged response. */
export interface Untagged {
  attributes?: readonly unknown[]
}

interface Door {
  exec(
    command: string,
    attributes: readonly Attribute[],
    options: { untagged: Record<string, (untagged: Untagged) => Promise<void>> },
  ): Promise<{ next(): void }>
}

export const atom = (value: string): Attribute => ({ type: 'ATOM', value })

/** Runs a command; `untagged` hears the responses of a name that come before it is done. */
export async function execute(
  client: ImapFlow,
  command: string,
  attributes: readonly Attribute[],
  untagged: Record<string, (untagged: Untagged) => void> = {},
): Promise<void> {
  const listeners = Object.entries(untagged).map(
    ([name, listen]) => [name, async (response: Untagged) => listen(response)] as const,
  )
  const door = client as unknown as Door
  const response = await door.exec(command, attributes, { untagged: Object.fromEntries(listeners) })
  response.next()
}

/** Throws where the connection was lost, or the folder is not selected any more. */
export function checkOpen(client: ImapFlow): void {
  if (!client.usable || !client.mailbox) throw new ConnectionFailed('connect', 'the connection was lost')
}

/** Fetches messages of the selected folder by their UIDs. */
export async function fetchByUid(
  client: ImapFlow,
  range: string,
  query: FetchQueryObject,
  options: FetchOptions = {},
): Promise<FetchMessageObject[]> {
  const messages = await client.fetchAll(range, query, { ...options, uid: true })
  checkOpen(client)
  return messages
}

/** Fetches one message by its UID. */
export async function fetchOneByUid(
  client: ImapFlow,
  uid: number,
  query: FetchQueryObject,
): Promise<FetchMessageObject | undefined> {
  return (await fetchByUid(client, String(uid), { uid: true, ...query }))[0]
}
