/** Threads are conversations: all messages with one conversation id, wherever they are. Graph lists no conversations. */
import type { Thread } from '@waypost/contract'
import { ApiError } from '../../../lib/api-error.ts'
import { object, readableItems, text } from '../../../lib/json/reader.ts'
import type { Conversation as ConversationOf } from '../../mail/conversation-list.ts'
import { threadFrom } from '../../mail/thread.ts'
import { isMissing } from '../errors.ts'
import { type GraphMessage, graphMessage, type Mailbox, quoted } from './mail-api.ts'
import { byPlace } from './mapping/position.ts'
import { queryOf, standard, type Wanted, withProperties } from './mapping/properties.ts'
import { messageOf } from './messages.ts'
import { readMessages } from './reading.ts'
import { wellKnownIds } from './well-known-folders.ts'

/** Its messages have all but their texts. */
export type Conversation = ConversationOf<GraphMessage>

const page = object({ value: readableItems(graphMessage) }, { '@odata.nextLink': text })
const perPage = 100
const maxPages = 20

const member: Wanted = withProperties(
  { ...standard, properties: standard.properties.filter((name) => name !== 'body') },
  ['isDraft', 'hasAttachments'],
)
const texts: Wanted = { properties: ['id', 'body'], attachments: false }

/** Conversations by their ids, asked for together; those that have no messages are left out. */
export async function readConversations(mailbox: Mailbox, ids: readonly string[]): Promise<Map<string, Conversation>> {
  const calls = ids.map((id) => ({
    path: mailbox.path('messages'),
    query: { ...queryOf(member), $filter: `conversationId eq ${quoted(id)}`, $top: perPage },
  }))
  const answers = await mailbox.session.batch(calls, page)
  const found = new Map<string, Conversation>()
  for (const [place, answer] of answers.entries()) {
    const id = ids[place] ?? ''
    if (answer instanceof ApiError) {
      if (isMissing(answer)) continue
      throw answer
    }
    const messages = [...answer.value, ...(await restOf(mailbox, answer['@odata.nextLink']))]
    if (messages.length > 0) found.set(id, { id, messages: messages.sort(byPlace) })
  }
  return found
}

/** The messages of a conversation that did not fit into one answer. */
async function restOf({ session }: Mailbox, link: string | undefined): Promise<GraphMessage[]> {
  const rest: GraphMessage[] = []
  let next = link
  for (let count = 0; count < maxPages && next !== undefined; count++) {
    const answer = await session.follow(next, { read: page })
    rest.push(...answer.value)
    next = answer['@odata.nextLink']
  }
  return rest
}

/** Conversations as threads, in their order. The text of the latest message is read now. */
export async function threadsFrom(mailbox: Mailbox, conversations: readonly Conversation[]): Promise<Thread[]> {
  if (conversations.length === 0) return []
  const latest = conversations.flatMap(({ messages: [first] }) => first?.id ?? [])
  const bodies = new Map((await readMessages(mailbox, latest, texts)).map(({ id, body }) => [id, body]))
  const sent = (await wellKnownIds(mailbox)).get('sentitems') ?? ''
  const { grant } = mailbox.session
  return conversations.flatMap(({ id, messages }) => {
    const members = messages.map((message) => {
      const body = bodies.get(message.id)
      return {
        message: messageOf(mailbox, body ? { ...message, body } : message),
        draftId: message.isDraft ? message.id : undefined,
      }
    })
    const isInSent = ({ folders = [] }: { folders?: string[] }): boolean => folders.includes(sent)
    return threadFrom(id, { grant, isInSent }, members) ?? []
  })
}
