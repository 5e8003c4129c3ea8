/** Operations on conversations. */
import { integer, list, message, required, sequence } from '../soap/description.ts'
import { operation } from '../soap/operation.ts'
import { folderIds, itemId } from '../types/ids.ts'
import { items } from '../types/items.ts'
import { itemShape } from '../types/shapes.ts'

const node = sequence({ Items: items })

/** The messages of conversations in all folders: one response message for each conversation. */
export const GetConversationItems = operation({
  name: 'GetConversationItems',
  since: 'Exchange2013',
  reads: true,
  request: message({
    ItemShape: required(itemShape),
    FoldersToIgnore: folderIds,
    MaxItemsToReturn: integer,
    Conversations: required(list('Conversation', sequence({ ConversationId: required(itemId) }))),
  }),
  answer: message({
    Conversation: sequence({ ConversationId: required(itemId), ConversationNodes: list('ConversationNode', node) }),
  }),
})
