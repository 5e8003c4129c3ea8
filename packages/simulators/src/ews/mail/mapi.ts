// The MAPI properties of messages that clients use as extended properties. [MS-OXPROPS], [MS-OXOMSG], [MS-OXCMSG]
import { hasFiles } from '../attachments/stored.ts'
import { type ExtendedValue, namedKey, tagKey } from '../store/extended.ts'
import type { ExtendedField } from '../store/stored.ts'
import { type MailContent, type MailItem, rewrite, sensitivities } from './content.ts'
import { bodyText, displayNames, sizeOf, topicOf, transportHeaders } from './reading.ts'

type Property = ExtendedField<MailContent>
type Setter = (item: MailItem, value: string) => void

/** PR_MESSAGE_FLAGS. */
const FLAGS = { read: 1, unmodified: 2, unsent: 8, hasAttachments: 0x10, fromMe: 0x20 } as const

function messageFlags({ isRead, content }: MailItem): number {
  return (
    (isRead ? FLAGS.read : 0) |
    (content.isDraft ? FLAGS.unsent : FLAGS.unmodified) |
    (hasFiles(content.attachments) ? FLAGS.hasAttachments : 0) |
    (content.isFromMe ? FLAGS.fromMe : 0)
  )
}

/** Sets the flags of a new message: it is a draft unless these say that it was sent. Later writes are ignored. */
function setMessageFlags(item: MailItem, value: string): void {
  if (item.number !== 0) return
  const flags = Number(value)
  item.content.isDraft = (flags & FLAGS.unsent) !== 0
  item.isRead = (flags & FLAGS.read) !== 0
  item.content.hasTransportHeaders = !item.content.isDraft && item.content.raw !== undefined
}

function property(read: (item: MailItem) => ExtendedValue | undefined, set?: Setter): Property {
  if (set === undefined) return { value: read }
  // Deleting a property sets it to empty text.
  return { value: read, set: (item, value) => set(item, typeof value === 'string' ? value : '') }
}

const text = (tag: number, read: (item: MailItem) => string | undefined, set?: Setter): [string, Property] => [
  tagKey(tag, 'String'),
  property((item) => read(item) || undefined, set),
]

const integer = (tag: number, read: (item: MailItem) => number | undefined, set?: Setter): [string, Property] => [
  tagKey(tag, 'Integer'),
  property((item) => read(item)?.toString(), set),
]

const yes = (tag: number, read: (item: MailItem) => boolean, set?: Setter): [string, Property] => [
  tagKey(tag, 'Boolean'),
  property((item) => String(read(item)), set),
]

const time = (tag: number, read: (item: MailItem) => number | undefined, set?: Setter): [string, Property] => [
  tagKey(tag, 'SystemTime'),
  property((item) => {
    const at = read(item)
    return at === undefined ? undefined : new Date(at).toISOString().replace(/\.\d+/, '')
  }, set),
]

const binary = (tag: number, read: (item: MailItem) => Uint8Array | undefined): [string, Property] => [
  tagKey(tag, 'Binary'),
  property((item) => {
    const bytes = read(item)
    return bytes && Buffer.from(bytes).toString('base64')
  }),
]

const importances = ['low', 'normal', 'high'] as const
const flagStatus = { NotFlagged: undefined, Complete: 1, Flagged: 2 } as const

function setFlagStatus({ content, mailbox }: MailItem, value: string): void {
  if (value === '2') content.flag = { status: 'Flagged' }
  else if (value === '1') content.flag = { status: 'Complete', completed: mailbox.now() }
  else content.flag = { status: 'NotFlagged' }
}

/** PR_ICON_INDEX. */
function iconOf({ content, isRead }: MailItem): number {
  if (content.lastVerb !== undefined) return content.lastVerb.verb === 104 ? 262 : 261
  return content.isDraft ? 3 : isRead ? 256 : 257
}

const marks: [string, Property][] = [
  integer(0x0e07, messageFlags, setMessageFlags),
  yes(0x0e69, ({ isRead }) => isRead),
  integer(
    0x0017,
    ({ content }) => importances.indexOf(content.text.importance),
    ({ content }, value) => rewrite(content, { importance: importances[Number(value)] ?? 'normal' }),
  ),
  integer(0x0036, ({ content }) => sensitivities.indexOf(content.sensitivity)),
  integer(0x1090, ({ content }) => flagStatus[content.flag.status], setFlagStatus),
  time(0x1091, ({ content }) => content.flag.completed),
  integer(
    0x1095,
    ({ content }) => (content.flag.status === 'Flagged' ? 6 : undefined),
    () => {},
  ),
  integer(
    0x0e2b,
    ({ content }) => (content.flag.status === 'NotFlagged' ? undefined : 1),
    () => {},
  ),
  integer(0x1080, iconOf, () => {}),
  integer(
    0x1081,
    ({ content }) => content.lastVerb?.verb,
    ({ content, mailbox }, value) => {
      content.lastVerb = Number(value) > 0 ? { verb: Number(value), at: mailbox.now() } : undefined
    },
  ),
  time(
    0x1082,
    ({ content }) => content.lastVerb?.at,
    () => {},
  ),
  [
    namedKey('PublicStrings', 'Keywords', 'StringArray'),
    {
      value: ({ content: { categories } }) => (categories.length > 0 ? categories : undefined),
      set({ content }, value) {
        content.categories = typeof value === 'string' ? [value] : (value ?? [])
      },
    },
  ],
]

const said: [string, Property][] = [
  text(
    0x0037,
    ({ content }) => content.text.subject,
    ({ content }, subject) => rewrite(content, { subject }),
  ),
  text(0x0e1d, ({ content }) => content.text.subject.replace(/^\w{2,3}:\s*/, '')),
  text(0x0070, ({ content }) => topicOf(content.text.subject)),
  text(0x1000, ({ content }) => bodyText(content.text)),
  binary(
    0x1013,
    ({
      content: {
        text: { body },
      },
    }) => (body.contentType === 'html' ? Buffer.from(body.content) : undefined),
  ),
  text(
    0x1035,
    ({ content }) => content.text.internetMessageId,
    ({ content }, id) => rewrite(content, { internetMessageId: id || undefined }),
  ),
  text(
    0x1039,
    ({ content }) => content.text.references.toReversed().join(' '),
    ({ content }, value) => rewrite(content, { references: (value.match(/<[^<>]+>/g) ?? []).toReversed() }),
  ),
  text(
    0x1042,
    ({ content }) => content.text.references[0],
    ({ content }, id) =>
      rewrite(content, { references: id === '' ? [] : [id, ...content.text.references.filter((each) => each !== id)] }),
  ),
  text(0x007d, ({ content }) => transportHeaders(content)),
  yes(0x0e1b, ({ content }) => hasFiles(content.attachments)),
  integer(0x0e08, ({ content }) => sizeOf(content)),
  integer(
    0x3fde,
    () => 65_001,
    () => {},
  ),
  time(
    0x0e06,
    ({ receivedAt }) => receivedAt,
    (item, value) => {
      item.receivedAt = timeOf(value) ?? item.receivedAt
    },
  ),
  time(
    0x0039,
    ({ content }) => content.text.sentAt,
    ({ content }, value) => {
      content.text = { ...content.text, sentAt: timeOf(value) }
    },
  ),
  binary(0x0071, ({ content }) => content.conversation?.index),
  binary(0x3013, ({ content }) => content.conversation?.id),
]

const people: [string, Property][] = [
  text(0x0e04, ({ content }) => displayNames(content.text.to)),
  text(0x0e03, ({ content }) => displayNames(content.text.cc)),
  text(0x0e02, ({ content }) => displayNames(content.text.bcc)),
  text(0x0c1a, ({ content }) => content.text.sender?.name),
  text(0x0c1e, ({ content }) => content.text.sender && 'SMTP'),
  text(0x0c1f, ({ content }) => content.text.sender?.address),
  text(0x5d01, ({ content }) => content.text.sender?.address),
  text(0x0042, ({ content }) => content.text.from?.name),
  text(0x0064, ({ content }) => content.text.from && 'SMTP'),
  text(0x0065, ({ content }) => content.text.from?.address),
  text(0x5d02, ({ content }) => content.text.from?.address),
  yes(0x0023, ({ content }) => content.text.wantsDeliveryReceipt),
  yes(0x0029, ({ content }) => content.text.wantsReadReceipt),
]

function timeOf(written: string): number | undefined {
  const time = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(written) ? written : `${written}Z`)
  return Number.isNaN(time) ? undefined : time
}

export const mapiProperties: Readonly<Record<string, Property>> = Object.fromEntries([...marks, ...said, ...people])
