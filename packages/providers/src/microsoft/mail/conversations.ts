/** Conversations: all messages with one conversation id, in any folder. Graph has no list of conversations. */
import { ApiError } from '@waypost/platform/api-error'
import { object, readableItems, text } from '@waypost/platform/json/reader'
import type { Conversation } from '../../mail/conversation-list.ts'
import { isMissing } from '../errors.ts'
import { type GraphMessage, graphMessage, type Mailbox, quoted } from './mail-api.ts'
import { byPlace } from './mapping/message.ts'
import { type MessageQuery, queryOf, standard, withProperties } from './mapping/properties.ts'

const page = object({ value: readableItems(graphMessage) }, { '@odata.nextLink': text })
const perPage = 100
const maxPages = 20

/** All fields of a message except its text. */
const member: MessageQuery = withProperties(
  { ...standard, properties: standard.properties.filter((name) => name !== 'body') },
  ['isDraft', 'hasAttachments'],
)

/** Conversations by their ids; those without messages are left out. */
export async function readConversations(
  mailbox: Mailbox,
  ids: readonly string[],
): Promise<Map<string, Conversation<GraphMessage>>> {
  const calls = ids.map((id) => ({
    path: mailbox.path('messages'),
    query: { ...queryOf(member), $filter: `conversationId eq ${quoted(id)}`, $top: perPage },
  }))
  const answers = await mailbox.session.batch(calls, page)
  const found = new Map<string, Conversation<GraphMessage>>()
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
