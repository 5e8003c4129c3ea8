// A conversation as FindConversation returns it.
import { hasFiles } from '../attachments/stored.ts'
import type { EwsCall } from '../model.ts'
import { itemIdXml } from '../shapes/item-shape.ts'
import { timeText } from '../soap/times.ts'
import { element, type Xml } from '../xml/write.ts'
import type { MailItem } from './content.ts'
import { bodyText, sizeOf, topicOf } from './reading.ts'

/** Messages are sorted newest first. */
export interface FoundConversation {
  readonly id: string
  /** The messages in the requested folder. */
  readonly here: readonly MailItem[]
  /** The messages in the whole mailbox. */
  readonly all: readonly MailItem[]
}

const unique = (names: readonly (string | undefined)[]): string[] => [
  ...new Set(names.filter((name): name is string => name !== undefined && name !== '')),
]

const strings = (tag: string, names: readonly string[]): Xml | undefined =>
  names.length === 0
    ? undefined
    : element(
        tag,
        names.map((name) => element('t:String', name)),
      )

const senders = (items: readonly MailItem[]): string[] => unique(items.map(({ content }) => content.text.from?.name))
const recipients = (items: readonly MailItem[]): string[] =>
  unique(items.flatMap(({ content }) => content.text.to.map(({ name, address }) => name || address)))
const unread = (items: readonly MailItem[]): MailItem[] => items.filter(({ isRead }) => !isRead)
const categories = (items: readonly MailItem[]): string[] => unique(items.flatMap(({ content }) => content.categories))
const size = (items: readonly MailItem[]): number => items.reduce((sum, { content }) => sum + sizeOf(content), 0)
const withFiles = (items: readonly MailItem[]): boolean => items.some(({ content }) => hasFiles(content.attachments))

function flagOf(items: readonly MailItem[]): string {
  const all = items.map(({ content }) => content.flag.status)
  return all.find((status) => status === 'Flagged') ?? all.find((status) => status === 'Complete') ?? 'NotFlagged'
}

function importanceOf(items: readonly MailItem[]): string {
  const all = items.map(({ content }) => content.text.importance)
  return all.includes('high') ? 'High' : all.every((each) => each === 'low') ? 'Low' : 'Normal'
}

/** Every value appears twice: for the folder, and (`Global…`) for the mailbox. */
export function conversationXml(call: EwsCall, { id, here, all }: FoundConversation): Xml {
  const both = (name: string, fact: (items: readonly MailItem[], tag: string) => Xml | undefined) => [
    fact(here, `t:${name}`),
    fact(all, `t:Global${name}`),
  ]
  const classes = (items: readonly MailItem[]) => unique(items.map(({ itemClass }) => itemClass))
  const [newest] = here
  return element('t:Conversation', [
    element('t:ConversationId', { Id: id }),
    element('t:ConversationTopic', topicOf(newest?.content.text.subject ?? '')),
    ...both('UniqueRecipients', (items, tag) => strings(tag, recipients(items))),
    ...both('UniqueUnreadSenders', (items, tag) => strings(tag, senders(unread(items)))),
    ...both('UniqueSenders', (items, tag) => strings(tag, senders(items))),
    ...both('LastDeliveryTime', (items, tag) => element(tag, timeText(call, items[0]?.receivedAt ?? 0))),
    ...both('Categories', (items, tag) => strings(tag, categories(items))),
    ...both('FlagStatus', (items, tag) => element(tag, flagOf(items))),
    ...both('HasAttachments', (items, tag) => element(tag, withFiles(items))),
    ...both('MessageCount', (items, tag) => element(tag, items.length)),
    ...both('UnreadCount', (items, tag) => element(tag, unread(items).length)),
    ...both('Size', (items, tag) => element(tag, size(items))),
    ...both('ItemClasses', (items, tag) =>
      element(
        tag,
        classes(items).map((name) => element('t:ItemClass', name)),
      ),
    ),
    ...both('Importance', (items, tag) => element(tag, importanceOf(items))),
    ...both('ItemIds', (items, tag) => element(tag, items.map(itemIdXml))),
    element('t:LastModifiedTime', timeText(call, Math.max(...here.map(({ modifiedAt }) => modifiedAt)))),
    element('t:InstanceKey', Buffer.from(id).subarray(0, 16).toString('base64')),
    element('t:Preview', newest === undefined ? '' : bodyText(newest.content.text).replace(/\s+/g, ' ').slice(0, 255)),
  ])
}
