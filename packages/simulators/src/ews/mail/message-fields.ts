// The fields of messages.
import { element } from '../xml/write.ts'
import { isYes, type MailField, peopleField, plainField, rewriteDraft, settable, textField } from './field-forms.ts'
import { itemFields } from './item-fields.ts'
import { personXml, readPerson } from './people.ts'
import { topicOf } from './reading.ts'

const ALL = 'AllProperties'
const basic = 'Default'

const author = (name: 'From' | 'Sender', key: 'from' | 'sender', shape: typeof ALL | typeof basic): MailField => ({
  uri: `message:${name}`,
  name,
  shape,
  write: ({ content }, { call, found }) => personXml(call, `t:${name}`, content.text[key], found),
  value: ({ content }) => content.text[key]?.name,
  set: (item, written, { call }) => rewriteDraft(item, { [key]: readPerson(call, written) }),
})

const receipt = (name: string, key: 'wantsReadReceipt' | 'wantsDeliveryReceipt'): MailField =>
  plainField({ uri: `message:${name}`, shape: basic }, ({ content }) => content.text[key], {
    set: (item, written) => rewriteDraft(item, { [key]: isYes(written) }),
  })

/** The owner of the mailbox, for received messages. */
const receiver = (name: string): MailField => ({
  uri: `message:${name}`,
  name,
  shape: ALL,
  onlyGet: true,
  since: 'Exchange2007_SP1',
  write({ content, mailbox }, { call, found }) {
    const owner = content.hasTransportHeaders ? call.world.findAccountById(mailbox.id) : undefined
    return personXml(call, `t:${name}`, owner && { name: owner.name, address: owner.email }, found)
  },
})

/** The fields of a message; the base for the types of other parts. */
export const messageFields: readonly MailField[] = [
  ...itemFields,
  author('Sender', 'sender', ALL),
  author('From', 'from', basic),
  peopleField({ uri: 'message:ToRecipients', shape: basic }, 'to'),
  peopleField({ uri: 'message:CcRecipients', shape: ALL }, 'cc'),
  peopleField({ uri: 'message:BccRecipients', shape: ALL }, 'bcc'),
  peopleField({ uri: 'message:ReplyTo', shape: ALL }, 'replyTo'),
  receipt('IsReadReceiptRequested', 'wantsReadReceipt'),
  receipt('IsDeliveryReceiptRequested', 'wantsDeliveryReceipt'),
  plainField({ uri: 'message:IsRead', shape: basic }, ({ isRead }) => isRead, {
    set(item, written) {
      item.isRead = isYes(written)
    },
  }),
  plainField({ uri: 'message:IsResponseRequested', shape: ALL }, ({ content }) => content.isResponseRequested, {
    set({ content }, written) {
      content.isResponseRequested = isYes(written)
    },
  }),
  {
    uri: 'message:ConversationIndex',
    name: 'ConversationIndex',
    shape: ALL,
    write: ({ content: { conversation } }) =>
      conversation && element('t:ConversationIndex', conversation.index.toString('base64')),
  },
  textField(
    { uri: 'message:ConversationTopic', shape: ALL },
    ({ content }) => topicOf(content.text.subject) || undefined,
  ),
  textField(
    { uri: 'message:InternetMessageId', shape: ALL },
    ({ content }) => content.text.internetMessageId,
    settable((internetMessageId) => ({ internetMessageId })),
  ),
  textField(
    { uri: 'message:References', shape: ALL },
    ({ content }) => content.text.references.toReversed().join(' ') || undefined,
    settable((written = '') => ({ references: (written.match(/<[^<>]+>/g) ?? []).toReversed() })),
  ),
  receiver('ReceivedBy'),
  receiver('ReceivedRepresenting'),
]
