// The fields that messages share with other items.
import { attachmentFields } from '../attachments/fields.ts'
import type { Field } from '../model.ts'
import { frameFields } from '../shapes/frame-fields.ts'
import { EwsError } from '../soap/errors.ts'
import { entryId } from '../store/ids.ts'
import { childrenOf } from '../xml/read.ts'
import { element } from '../xml/write.ts'
import { appendBody, bodyTypeOf, bodyXml, readBody, uniqueBody } from './body.ts'
import { rewrite, type Sensitivity, sensitivities } from './content.ts'
import { conversationIdXml } from './conversation-ids.ts'
import { cut, isYes, type MailField, plainField, settable, textField, timeField } from './field-forms.ts'
import { flagXml, readFlag } from './flags.ts'
import { mimeXml, setMime } from './mime-content.ts'
import { bodyText, displayNames, sizeOf } from './reading.ts'

const importances = { low: 'Low', normal: 'Normal', high: 'High' } as const
const here = ['Default', 'AllProperties'] as const
const [basic, ALL] = here

const body: MailField = {
  uri: 'item:Body',
  name: 'Body',
  shape: basic,
  onlyGet: true,
  write: ({ content }, context) => bodyXml('t:Body', content.text.body, context, context.shape.bodyType),
  value: ({ content }) => bodyText(content.text),
  set: ({ content }, written) => rewrite(content, { body: readBody(written) }),
  append: ({ content }, written) => rewrite(content, { body: appendBody(content.text.body, written) }),
  remove: ({ content }) => rewrite(content, { body: { contentType: 'text', content: '' } }),
}

const otherBodies: readonly MailField[] = [
  {
    uri: 'item:UniqueBody',
    name: 'UniqueBody',
    shape: 'asked',
    onlyGet: true,
    since: 'Exchange2010',
    write: ({ content }, context) =>
      bodyXml('t:UniqueBody', uniqueBody(content.text.body), context, bodyTypeOf(context, 'UniqueBodyType')),
  },
  {
    uri: 'item:NormalizedBody',
    name: 'NormalizedBody',
    shape: 'asked',
    onlyGet: true,
    since: 'Exchange2013',
    write: ({ content }, context) =>
      bodyXml('t:NormalizedBody', content.text.body, context, bodyTypeOf(context, 'NormalizedBodyType')),
  },
  {
    uri: 'item:TextBody',
    name: 'TextBody',
    shape: 'asked',
    onlyGet: true,
    since: 'Exchange2013',
    write: ({ content }, context) => bodyXml('t:TextBody', content.text.body, context, 'Text'),
  },
  textField({ uri: 'item:Preview', shape: 'asked', since: 'Exchange2013' }, ({ content }) =>
    bodyText(content.text).replace(/\s+/g, ' ').slice(0, 255),
  ),
]

const marks: readonly MailField[] = [
  {
    uri: 'item:Categories',
    name: 'Categories',
    shape: ALL,
    write: ({ content: { categories } }, context) =>
      categories.length === 0
        ? undefined
        : element(
            't:Categories',
            categories.map((category) => element('t:String', cut(category, context))),
          ),
    value: ({ content: { categories } }) => (categories.length === 0 ? undefined : categories),
    set({ content }, written) {
      content.categories = childrenOf(written, 'String').map(({ text }) => text)
    },
    remove({ content }) {
      content.categories = []
    },
  },
  {
    uri: 'item:Flag',
    name: 'Flag',
    shape: ALL,
    since: 'Exchange2013',
    write: ({ content }, { call }) => flagXml(call, content.flag),
    set({ content }, written, { call }) {
      content.flag = readFlag(written, call.world.now())
    },
    remove({ content }) {
      content.flag = { status: 'NotFlagged' }
    },
  },
  textField({ uri: 'item:Importance', shape: ALL }, ({ content }) => importances[content.text.importance], {
    set({ content }, { text }) {
      const importance = text.trim().toLowerCase()
      if (importance === 'low' || importance === 'normal' || importance === 'high')
        return rewrite(content, { importance })
      throw new EwsError(
        'ErrorSchemaValidation',
        `The 'Importance' element is invalid - The value '${text}' is invalid.`,
      )
    },
    remove: ({ content }) => rewrite(content, { importance: 'normal' }),
  }),
  textField({ uri: 'item:Sensitivity', shape: basic }, ({ content }) => content.sensitivity, {
    set({ content }, { text }) {
      const known = sensitivities.find((each): each is Sensitivity => each === text.trim())
      if (known === undefined) throw new EwsError('ErrorSchemaValidation', `The value '${text}' is no sensitivity.`)
      content.sensitivity = known
    },
    remove({ content }) {
      content.sensitivity = 'Normal'
    },
  }),
]

const states: readonly MailField[] = [
  plainField({ uri: 'item:IsSubmitted', shape: ALL }, () => false),
  plainField({ uri: 'item:IsDraft', shape: ALL }, ({ content }) => content.isDraft),
  plainField({ uri: 'item:IsFromMe', shape: ALL }, ({ content }) => content.isFromMe),
  plainField({ uri: 'item:IsResend', shape: ALL }, () => false),
  plainField({ uri: 'item:IsUnmodified', shape: ALL }, ({ content, createdAt, modifiedAt }) => {
    return !content.isDraft && createdAt === modifiedAt
  }),
  plainField({ uri: 'item:ReminderIsSet', shape: ALL }, () => false, {
    set(_item, written) {
      if (isYes(written)) throw new EwsError('ErrorInvalidPropertySet', 'Messages of this simulator have no reminders.')
    },
  }),
  plainField({ uri: 'item:ReminderMinutesBeforeStart', shape: ALL }, () => 0, { set() {} }),
  plainField({ uri: 'item:Size', shape: basic }, ({ content }) => sizeOf(content)),
  {
    uri: 'item:ResponseObjects',
    name: 'ResponseObjects',
    shape: basic,
    onlyGet: true,
    write({ content }) {
      if (content.isDraft) return undefined
      const names = ['ReplyToItem', 'ReplyAllToItem', 'ForwardItem']
      return element(
        't:ResponseObjects',
        names.map((name) => element(`t:${name}`)),
      )
    },
  },
  {
    uri: 'item:EffectiveRights',
    name: 'EffectiveRights',
    shape: ALL,
    write: () =>
      element('t:EffectiveRights', [
        element('t:CreateAssociated', false),
        element('t:CreateContents', false),
        element('t:CreateHierarchy', false),
        element('t:Delete', true),
        element('t:Modify', true),
        element('t:Read', true),
      ]),
  },
  textField({ uri: 'item:Culture', shape: ALL }, () => 'en-US', { set() {} }),
  textField({ uri: 'item:LastModifiedName', shape: ALL, since: 'Exchange2007_SP1' }, ({ content }) => {
    return content.isFromMe ? content.text.from?.name : undefined
  }),
  {
    uri: 'item:StoreEntryId',
    name: 'StoreEntryId',
    shape: 'asked',
    since: 'Exchange2010_SP2',
    write: ({ mailbox, folder, number }) =>
      element(
        't:StoreEntryId',
        entryId({ kind: 'item', mailbox: mailbox.id, folder: folder.number, item: number }).toString('base64'),
      ),
  },
  {
    uri: 'item:InstanceKey',
    name: 'InstanceKey',
    shape: ALL,
    since: 'Exchange2013',
    write: ({ folder, number }, { found }) =>
      found ? element('t:InstanceKey', Buffer.from(`${folder.number}/${number}`).toString('base64')) : undefined,
  },
  textField({ uri: 'item:IconIndex', shape: 'asked', since: 'Exchange2013' }, ({ content, isRead }) => {
    if (content.lastVerb !== undefined) return content.lastVerb.verb === 104 ? 'MailForwarded' : 'MailReplied'
    return isRead ? 'MailRead' : 'MailUnread'
  }),
]

const said: readonly MailField[] = [
  { uri: 'item:MimeContent', name: 'MimeContent', shape: 'asked', onlyGet: true, write: mimeXml, set: setMime },
  textField(
    { uri: 'item:Subject', shape: basic },
    ({ content }) => content.text.subject || undefined,
    settable((subject = '') => ({ subject: subject.replace(/[\r\n]+/g, ' ') })),
  ),
  body,
  textField({ uri: 'item:DisplayTo', shape: ALL }, ({ content }) => displayNames(content.text.to)),
  textField({ uri: 'item:DisplayCc', shape: ALL }, ({ content }) => displayNames(content.text.cc)),
  textField({ uri: 'item:DisplayBcc', shape: 'asked', since: 'Exchange2013' }, ({ content }) =>
    displayNames(content.text.bcc),
  ),
  textField(
    { uri: 'item:InReplyTo', shape: ALL },
    ({ content }) => content.text.references[0],
    settable((id) => ({ references: id === undefined ? [] : [id] })),
  ),
  timeField({ uri: 'item:DateTimeSent', shape: basic }, ({ content, receivedAt }) => content.text.sentAt ?? receivedAt),
  {
    uri: 'item:InternetMessageHeaders',
    name: 'InternetMessageHeaders',
    shape: ALL,
    onlyGet: true,
    write({ content: { text, hasTransportHeaders } }) {
      if (!hasTransportHeaders || text.headers.length === 0) return undefined
      return element(
        't:InternetMessageHeaders',
        text.headers.map(({ name, value }) => element('t:InternetMessageHeader', { HeaderName: name }, value)),
      )
    },
  },
  {
    uri: 'item:ConversationId',
    name: 'ConversationId',
    shape: ALL,
    since: 'Exchange2010',
    write: conversationIdXml,
  },
]

/** In messages, the creation time belongs to the default shape. */
const frame: readonly Field[] = frameFields.map((field) =>
  field.uri === 'item:DateTimeCreated' ? { ...field, shape: basic } : field,
)

export const itemFields: readonly MailField[] = [
  ...frame,
  ...said,
  ...marks,
  ...states,
  ...otherBodies,
  ...attachmentFields,
]
