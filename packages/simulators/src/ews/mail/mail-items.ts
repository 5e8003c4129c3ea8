// Defines which items are mail: messages, and items of other parts in mail folders that have message content.
import type { EwsCall, ItemType } from '../model.ts'
import type { StoredItem } from '../store/stored.ts'
import type { MailContent, MailItem } from './content.ts'

export function isMailItem(item: StoredItem): item is StoredItem<MailContent> & MailItem {
  return isMailContent(item.content)
}

function isMailContent(content: unknown): content is MailContent {
  return typeof content === 'object' && content !== null && 'text' in content && 'hasTransportHeaders' in content
}

/** The registered type of plain messages. */
export function messageTypeOf({ world }: Pick<EwsCall, 'world'>): ItemType<MailContent> {
  const type = world.registry.typeOfElement('Message')
  if (type === undefined) throw new Error('No part has messages')
  return type as ItemType<MailContent>
}
