// Which items are mail: messages, and what other parts put into mail folders with the content of one.
import type { EwsCall, ItemType } from '../model.ts'
import type { StoredItem } from '../store/stored.ts'
import type { MailContent, MailItem } from './content.ts'

export function isMailItem(item: StoredItem): item is StoredItem<MailContent> & MailItem {
  return isMailContent(item.content)
}

function isMailContent(content: unknown): content is MailContent {
  return typeof content === 'object' && content !== null && 'text' in content && 'hasTransportHeaders' in content
}

/** The type of plain messages, as the registry has it. */
export function messageTypeOf({ world }: Pick<EwsCall, 'world'>): ItemType<MailContent> {
  const type = world.registry.typeOfElement('Message')
  if (type === undefined) throw new Error('No part has messages')
  return type as ItemType<MailContent>
}
