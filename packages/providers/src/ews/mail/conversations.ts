/** Conversations: all messages of each, in any folder. */

import type { Conversation as ConversationOf } from '../../mail/conversation-list.ts'
import { newestFirst } from '../../mail/position.ts'
import { RetainedValue } from '../../shared/retained-value.ts'
import { EwsError, isMissing } from '../errors.ts'
import { FindItem, GetConversationItems, page } from '../operations/items.ts'
import { folder } from '../types/ids.ts'
import { property } from '../types/paths.ts'
import { anyOf, equals } from '../types/restriction.ts'
import { idAnd } from '../types/shapes.ts'
import { freshFolders } from './folder-tree.ts'
import { type Mailbox, type MailItem, mailIn, wellKnownIds } from './mail-api.ts'
import { itemIdOf, placeOf, type ThreadName, threadIdOf, threadName } from './mapping/names.ts'
import { conversation as conversationKey } from './mapping/properties.ts'
import { type MessageQuery, nothingButNames, shapeOf, standard, withFields } from './mapping/wanted.ts'
import { MergedRows } from './merged-rows.ts'
import { readItems } from './reading.ts'

type Conversation = ConversationOf<MailItem>

/** Conversations per request; a restriction has at most 255 parts. */
const atOnce = 50
const perFolder = 250

/** All fields of a message except its text. */
const member: MessageQuery = {
  fields: withFields(standard, ['has_attachments']).fields.difference(new Set(['body'])),
}

/** Conversations by id; those without messages are left out. */
export async function readConversations(
  mailbox: Mailbox,
  ids: readonly string[],
  wanted: MessageQuery = member,
): Promise<Map<string, Conversation>> {
  const named = ids.flatMap((id) => {
    const name = threadName(id)
    return name ? [{ id, name }] : []
  })
  const members = new Map<string, string[]>()
  for (let from = 0; from < named.length; from += atOnce) {
    const found = await membersOf(mailbox, named.slice(from, from + atOnce))
    for (const [id, itemIds] of found) members.set(id, itemIds)
  }
  const read = await readItems(mailbox, [...new Set([...members.values()].flat())], withFields(wanted, ['thread_id']))
  const byItem = new Map(read.map((item) => [itemIdOf(item), item]))
  return new Map(
    [...members].flatMap(([id, itemIds]) => {
      const messages = itemIds.flatMap((itemId) => byItem.get(itemId) ?? [])
      messages.sort((a, b) => newestFirst(placeOf(a), placeOf(b)))
      return messages.length > 0 ? [[id, { id, messages }] as const] : []
    }),
  )
}

interface NamedThread {
  id: string
  name: ThreadName
}

/** The ids of the items of conversations. Before Exchange 2013 all folders are searched. */
async function membersOf(mailbox: Mailbox, threads: readonly NamedThread[]): Promise<Map<string, string[]>> {
  const { session } = mailbox
  // The first call of an account detects the version of the server.
  await wellKnownIds(mailbox)
  // Some servers with the newer schema lack the operation.
  const isLacking = session.io.retained('lack of conversations', () => new RetainedValue<boolean>())
  if (!session.server.since('Exchange2013') || isLacking.value) return searched(mailbox, threads)
  try {
    return await requested(mailbox, threads)
  } catch (error) {
    if (!(error instanceof EwsError) || error.code !== 'provider_refused') throw error
    isLacking.value = true
    return searched(mailbox, threads)
  }
}

async function requested({ session }: Mailbox, threads: readonly NamedThread[]): Promise<Map<string, string[]>> {
  const known = threads.filter(({ name }) => name.id !== '')
  if (known.length === 0) return new Map()
  const Conversations = known.map(({ name }) => ({ ConversationId: { Id: name.id } }))
  const answers = await session.each(GetConversationItems, (server) => ({
    ItemShape: { ...shapeOf(nothingButNames, server), BodyType: undefined },
    Conversations,
  }))
  return new Map(
    known.flatMap(({ id }, place) => {
      const answer = answers[place]
      if (answer instanceof Error) {
        if (isMissing(answer)) return []
        throw answer
      }
      const nodes = answer?.Conversation?.ConversationNodes ?? []
      return [[id, nodes.flatMap(({ Items }) => mailIn(Items)).map(itemIdOf)] as const]
    }),
  )
}

async function searched(mailbox: Mailbox, threads: readonly NamedThread[]): Promise<Map<string, string[]>> {
  const byKey = new Map(
    threads.flatMap(({ id, name }) => (name.key ? [[name.key.toString('base64'), id] as const] : [])),
  )
  const folders = (await freshFolders(mailbox)).filter(({ isHidden, total }) => !isHidden && total !== 0)
  const found = new Map<string, string[]>()
  if (byKey.size === 0 || folders.length === 0) return found
  const answers = await mailbox.session.each(FindItem, {
    Traversal: 'Shallow',
    ItemShape: idAnd(property(conversationKey)),
    View: page(0, perFolder),
    Restriction: anyOf([...byKey.keys()].map((key) => equals(property(conversationKey), key))),
    ParentFolderIds: folders.map(({ id }) => folder(id)),
  })
  const refused = answers.find((answer) => answer instanceof EwsError && !isMissing(answer))
  if (refused) return goneThrough(mailbox, threads)
  for (const answer of answers) {
    if (answer instanceof Error) continue
    for (const item of mailIn(answer.RootFolder?.Items)) {
      const id = byKey.get(threadName(threadIdOf(item))?.key?.toString('base64') ?? '')
      if (id !== undefined) found.set(id, [...(found.get(id) ?? []), itemIdOf(item)])
    }
  }
  return found
}

/** At most this many of the newest messages are read. */
const maxGoneThrough = 5_000

/** For servers that cannot search conversations: the conversations of the newest messages. */
async function goneThrough(mailbox: Mailbox, threads: readonly NamedThread[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>(threads.map(({ id }) => [id, []]))
  const folders = (await freshFolders(mailbox)).filter(({ isHidden, total }) => !isHidden && total !== 0)
  const of = { mailbox, terms: [], size: perFolder, isNamed: false }
  const rows = new MergedRows(
    of,
    folders.map(({ id }) => id),
  )
  for (let count = 0; count < maxGoneThrough; count++) {
    const row = await rows.next()
    if (!row) break
    found.get(threadIdOf(row))?.push(itemIdOf(row))
  }
  return found
}
