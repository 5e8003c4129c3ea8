// Mail, as a part of the simulated Exchange.
import type { ExchangePart, ItemType } from '../model.ts'
import { findConversation, getConversationItems } from './conversations.ts'
import { markAllItemsAsRead, markAsJunk } from './marking.ts'
import { messageType } from './message-type.ts'
import { mailResponses } from './replying.ts'
import { sendItem } from './send-item.ts'

export const mailPart: ExchangePart = {
  operations: {
    SendItem: sendItem,
    FindConversation: findConversation,
    GetConversationItems: getConversationItems,
    MarkAllItemsAsRead: markAllItemsAsRead,
    MarkAsJunk: markAsJunk,
  },
  since: {
    FindConversation: 'Exchange2010_SP1',
    GetConversationItems: 'Exchange2013',
    MarkAllItemsAsRead: 'Exchange2013',
    MarkAsJunk: 'Exchange2013',
  },
  itemTypes: [messageType as ItemType],
  responses: mailResponses,
}
