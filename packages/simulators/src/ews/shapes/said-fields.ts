// The content fields that most items have: subject, body, categories and the like.
import type { Body, Importance } from '../../shared/mail/content.ts'
import { htmlToText } from '../../shared/mail/html.ts'
import type { SearchedMessage } from '../../shared/mail/keyword-query.ts'
import { attachmentFields } from '../attachments/fields.ts'
import { appendBody, bodyXml, readBody } from '../mail/body.ts'
import { emptyText, type MessageText, type Sensitivity, sensitivities } from '../mail/content.ts'
import type { Field, WriteContext } from '../model.ts'
import { schemaViolation } from '../soap/errors.ts'
import { mayUse } from '../store/lookup.ts'
import type { StoredAttachment, StoredAttachments, StoredItem } from '../store/stored.ts'
import { childrenOf } from '../xml/read.ts'
import { element } from '../xml/write.ts'

/** The minimum content of such an item. */
export interface SaidContent {
  readonly text: { readonly subject: string; readonly body: Body; readonly importance: Importance }
  readonly sensitivity: Sensitivity
  readonly categories: readonly string[]
  readonly attachments: readonly StoredAttachment[]
}

type SaidItem = StoredItem<SaidContent>

export const emptyBody: Body = { contentType: 'text', content: '' }

export const nothingSaid: SaidContent = {
  text: { subject: '', body: emptyBody, importance: 'normal' },
  sensitivity: 'Normal',
  categories: [],
  attachments: [],
}

const maxFound = 255

/** A text, shortened in lists. */
export function cut(text: string | undefined, { found }: Pick<WriteContext, 'found'>): string | undefined {
  return found ? text?.slice(0, maxFound) : text
}

export function bodyAsText({ contentType, content }: Body): string {
  return contentType === 'html' ? htmlToText(content) : content
}

function say(item: SaidItem, change: Partial<SaidContent['text']>): void {
  item.content = { ...item.content, text: { ...item.content.text, ...change } }
}

const importances = { Low: 'low', Normal: 'normal', High: 'high' } as const
type ImportanceName = keyof typeof importances
const importanceNames: Readonly<Record<Importance, ImportanceName>> = { low: 'Low', normal: 'Normal', high: 'High' }

function invalidValue(name: string, text: string): Error {
  return schemaViolation(`The '${name}' element is invalid - The value '${text}' is invalid according to its datatype.`)
}

const subject: Field<SaidContent> = {
  uri: 'item:Subject',
  name: 'Subject',
  shape: 'Default',
  write: ({ content }, context) => {
    const text = cut(content.text.subject, context)
    return text === undefined || text === '' ? undefined : element('t:Subject', text)
  },
  value: ({ content }) => content.text.subject,
  set: (item, { text }) => say(item, { subject: text.slice(0, maxFound) }),
  remove: (item) => say(item, { subject: '' }),
}

const body: Field<SaidContent> = {
  uri: 'item:Body',
  name: 'Body',
  shape: 'AllProperties',
  onlyGet: true,
  write: ({ content }, context) => bodyXml('t:Body', content.text.body, context, context.shape.bodyType),
  value: ({ content }) => bodyAsText(content.text.body),
  set: (item, written) => say(item, { body: readBody(written) }),
  append: (item, written) => say(item, { body: appendBody(item.content.text.body, written) }),
  remove: (item) => say(item, { body: emptyBody }),
}

const textBody: Field<SaidContent> = {
  uri: 'item:TextBody',
  name: 'TextBody',
  shape: 'asked',
  onlyGet: true,
  since: 'Exchange2013',
  write: ({ content }, context) => bodyXml('t:TextBody', content.text.body, context, 'Text'),
}

const sensitivity: Field<SaidContent> = {
  uri: 'item:Sensitivity',
  name: 'Sensitivity',
  shape: 'AllProperties',
  write: ({ content }) => element('t:Sensitivity', content.sensitivity),
  value: ({ content }) => content.sensitivity,
  set(item, { text }) {
    const named = sensitivities.find((one) => one === text.trim())
    if (named === undefined) throw invalidValue('Sensitivity', text)
    item.content = { ...item.content, sensitivity: named }
  },
  remove(item) {
    item.content = { ...item.content, sensitivity: 'Normal' }
  },
}

const importance: Field<SaidContent> = {
  uri: 'item:Importance',
  name: 'Importance',
  shape: 'AllProperties',
  write: ({ content }) => element('t:Importance', importanceNames[content.text.importance]),
  value: ({ content }) => importanceNames[content.text.importance],
  set(item, { text }) {
    const named = text.trim()
    if (!Object.hasOwn(importances, named)) throw invalidValue('Importance', text)
    say(item, { importance: importances[named as ImportanceName] })
  },
  remove: (item) => say(item, { importance: 'normal' }),
}

const categories: Field<SaidContent> = {
  uri: 'item:Categories',
  name: 'Categories',
  shape: 'AllProperties',
  write: ({ content: { categories: all } }) =>
    all.length === 0
      ? undefined
      : element(
          't:Categories',
          all.map((name) => element('t:String', name)),
        ),
  value: ({ content }) => content.categories,
  set(item, written) {
    item.content = { ...item.content, categories: childrenOf(written, 'String').map(({ text }) => text) }
  },
  remove(item) {
    item.content = { ...item.content, categories: [] }
  },
}

const size: Field<SaidContent> = {
  uri: 'item:Size',
  name: 'Size',
  shape: 'AllProperties',
  write: (item) => element('t:Size', sizeOf(item)),
  value: (item) => sizeOf(item),
}

function sizeOf({ content: { text, attachments } }: SaidItem): number {
  const files = attachments.reduce((sum, { bytes }) => sum + bytes.length + 512, 0)
  return 1024 + Buffer.byteLength(text.body.content) + Buffer.byteLength(text.subject) + files
}

/** A state that never changes for such items. */
const constantField = (name: string, value: boolean): Field<SaidContent> => ({
  uri: `item:${name}`,
  name,
  shape: 'AllProperties',
  write: () => element(`t:${name}`, value),
  value: () => value,
})

const culture: Field<SaidContent> = {
  uri: 'item:Culture',
  name: 'Culture',
  shape: 'AllProperties',
  write: () => element('t:Culture', 'en-US'),
  // Writes are ignored: the simulator has only one language.
  set() {},
}

const effectiveRights: Field<SaidContent> = {
  uri: 'item:EffectiveRights',
  name: 'EffectiveRights',
  shape: 'AllProperties',
  since: 'Exchange2007_SP1',
  write({ folder }, { call }) {
    const mayWrite = mayUse(call.account, folder, 'write')
    return element('t:EffectiveRights', [
      ...['CreateAssociated', 'CreateContents', 'CreateHierarchy'].map((name) => element(`t:${name}`, false)),
      element('t:Delete', mayWrite),
      element('t:Modify', mayWrite),
      element('t:Read', true),
    ])
  },
}

const lastModifiedName: Field<SaidContent> = {
  uri: 'item:LastModifiedName',
  name: 'LastModifiedName',
  shape: 'AllProperties',
  since: 'Exchange2007_SP1',
  write({ mailbox }, { call }) {
    const owner = call.world.findAccountById(mailbox.id)
    return owner && element('t:LastModifiedName', owner.name)
  },
}

export const saidFields: readonly Field<SaidContent>[] = [
  ...['IsSubmitted', 'IsDraft', 'IsFromMe', 'IsResend'].map((name) => constantField(name, false)),
  ...[culture, effectiveRights, lastModifiedName],
  ...[subject, body, textBody, sensitivity, importance, categories, size],
  ...attachmentFields,
]

/** Such an item in the form that the search index uses. */
export function searchedItem(
  { content, receivedAt, isRead }: SaidItem,
  { kind, text = {} }: { kind: string; text?: Partial<MessageText> },
): SearchedMessage {
  return {
    content: { ...emptyText, ...content.text, ...text },
    attachments: content.attachments,
    categories: content.categories,
    isRead,
    receivedAt,
    kind,
    isFlagged: false,
    size: 0,
  }
}

export const keptAttachments: StoredAttachments<SaidContent> = {
  list: ({ content }) => content.attachments,
  set(item, attachments) {
    item.content = { ...item.content, attachments }
  },
}
