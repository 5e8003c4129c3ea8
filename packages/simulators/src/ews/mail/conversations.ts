// FindConversation and GetConversationItems.
import { type Matcher, parseKeywordQuery } from '../../shared/mail/keyword-query.ts'
import type { EwsCall } from '../model.ts'
import { itemXml, readItemShape } from '../shapes/item-shape.ts'
import { pageOf, readPageView } from '../shapes/paging.ts'
import { answerEach, answerWhole } from '../soap/answers.ts'
import { EwsError, itemNotFound, schemaViolation } from '../soap/errors.ts'
import { folderIn, folderOf, mayUse } from '../store/lookup.ts'
import type { Mailbox, StoredFolder, StoredItem } from '../store/stored.ts'
import { childOf, textOf, type XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'
import type { MailItem } from './content.ts'
import { readConversationId, writeConversationId } from './conversation-ids.ts'
import { conversationXml, type FoundConversation } from './conversation-xml.ts'
import { isMailItem } from './mail-items.ts'
import { searchedMail } from './searched.ts'

const maxConversations = 1000

export function findConversation(call: EwsCall): Promise<Xml> {
  const { request } = call
  return answerWhole(call, () => {
    const folder = folderIn(call, childOf(request, 'ParentFolderId'))
    if (folder === undefined) throw schemaViolation("The element 'ParentFolderId' is missing.")
    const query = childOf(request, 'QueryString')?.text
    const matches: Matcher =
      query === undefined ? () => true : parseKeywordQuery(query, { byBeginnings: true, now: call.world.now() })
    const found = conversationsIn(folder).filter(({ here }) => here.some((item) => matches(searchedMail(item))))
    const sorted = found.filter(filterOf(request)).toSorted((left, right) => latest(right) - latest(left))
    const { rows, attributes } = pageOf(sorted, readPageView(request, 'Item'), maxConversations)
    return [
      element(
        'm:Conversations',
        rows.map((each) => conversationXml(call, each)),
      ),
      element('m:TotalConversationsInView', sorted.length),
      element('m:IndexedOffset', Number(attributes.IndexedPagingOffset ?? rows.length)),
    ]
  })
}

const latest = ({ here }: FoundConversation): number => here[0]?.receivedAt ?? 0

function filterOf(request: XmlNode): (conversation: FoundConversation) => boolean {
  switch (request.attributes.ViewFilter) {
    case 'Unread':
      return ({ here }) => here.some(({ isRead }) => !isRead)
    case 'Flagged':
      return ({ here }) => here.some(({ content }) => content.flag.status === 'Flagged')
    case 'HasAttachment':
      return ({ here }) => here.some(({ content }) => content.attachments.some(({ isInline }) => !isInline))
    default:
      return () => true
  }
}

function conversationsIn(folder: StoredFolder): FoundConversation[] {
  const all = byConversation(visibleMail(folder.mailbox))
  return [...byConversation(newestFirst([...folder.items.values()].filter(isMailItem)))].map(([id, here]) => ({
    id,
    here,
    all: all.get(id) ?? here,
  }))
}

function byConversation(items: readonly MailItem[]): Map<string, MailItem[]> {
  return Map.groupBy(items, ({ mailbox, content }) =>
    content.conversation === undefined ? '' : writeConversationId(mailbox.id, content.conversation.id),
  )
}

/** The messages visible to the user, without the recoverable items behind Deleted Items. */
function visibleMail({ folders }: Mailbox): MailItem[] {
  const shown = folders.descendants(folders.standard('msgfolderroot'))
  return newestFirst(shown.flatMap(({ items }) => [...items.values()]).filter(isMailItem))
}

function newestFirst(items: readonly MailItem[]): MailItem[] {
  return items.toSorted((left, right) => right.receivedAt - left.receivedAt || right.number - left.number)
}

export function getConversationItems(call: EwsCall): Promise<Xml> {
  const { request } = call
  const shape = readItemShape(call, childOf(request, 'ItemShape'))
  const ignored = (childOf(request, 'FoldersToIgnore')?.children ?? []).map((id) => folderOf(call, id))
  const requested = childOf(request, 'Conversations')?.children ?? []
  return answerEach(call, requested, (conversation) => {
    const id = childOf(conversation, 'ConversationId')?.attributes.Id ?? ''
    const items = itemsOf(call, id).filter(({ folder }) => !ignored.includes(folder))
    if (items.length === 0) throw itemNotFound()
    const wanted = items.slice(0, Number(textOf(request, 'MaxItemsToReturn') ?? 100))
    const nodes = sortedNodes([...Map.groupBy(wanted, nodeKey).values()], textOf(request, 'SortOrder'))
    return [
      element('m:Conversation', [
        element('t:ConversationId', { Id: id }),
        element(
          't:SyncState',
          Buffer.from(`${id} ${Math.max(...items.map(({ changed }) => changed))}`).toString('base64'),
        ),
        element(
          't:ConversationNodes',
          nodes.map((node) => nodeXml(node, (item) => itemXml(call, item as StoredItem, shape))),
        ),
      ]),
    ]
  })
}

function itemsOf(call: EwsCall, id: string): MailItem[] {
  const { mailbox: owner, id: conversation } = readConversationId(id)
  const mailbox = call.world.findAccountById(owner)?.mailbox
  if (mailbox === undefined || !mayUse(call.account, mailbox.folders.standard('inbox'), 'read')) throw itemNotFound()
  return visibleMail(mailbox).filter(({ content }) => content.conversation?.id.equals(conversation) === true)
}

const nodeKey = ({ content, number }: MailItem): string => content.text.internetMessageId ?? String(number)

function sortedNodes(nodes: readonly MailItem[][], order = 'TreeOrderAscending'): readonly MailItem[][] {
  if (!/^(?:Tree|Date)Order(?:As|Des)cending$/.test(order)) {
    throw new EwsError('ErrorSchemaValidation', `The value '${order}' is no order of nodes.`)
  }
  return order.endsWith('Descending') ? nodes : nodes.toReversed()
}

function nodeXml(items: readonly MailItem[], write: (item: MailItem) => Xml): Xml {
  const text = items[0]?.content.text
  const parent = text?.references[0]
  return element('t:ConversationNode', [
    element('t:InternetMessageId', text?.internetMessageId ?? ''),
    parent === undefined ? undefined : element('t:ParentInternetMessageId', parent),
    element('t:Items', items.map(write)),
  ])
}
