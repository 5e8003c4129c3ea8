// The fields of a contact that have one value.
import type { Field } from '../model.ts'
import { cut } from '../shapes/said-fields.ts'
import { schemaViolation } from '../soap/errors.ts'
import { timeText } from '../soap/times.ts'
import type { Schema } from '../soap/versions.ts'
import type { StoredItem } from '../store/stored.ts'
import { childrenOf, type XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'
import { addressKeys, type ContactContent } from './content.ts'
import { completeName, fileAs } from './names.ts'

export type ContactField = Field<ContactContent>
type ContactItem = StoredItem<ContactContent>

const uriOf = (name: string): string => `contacts:${name}`

export function change(item: ContactItem, change: Partial<ContactContent>): void {
  item.content = { ...item.content, ...change }
}

/** A copy of a record with one entry set or removed. */
export function withEntry<T>(
  record: Readonly<Record<string, T>>,
  name: string,
  value: T | undefined,
): Record<string, T> {
  const { [name]: _, ...others } = record
  return value === undefined ? others : { ...others, [name]: value }
}

interface TextOptions {
  readonly shape?: ContactField['shape']
  readonly since?: Schema
  readonly choices?: readonly string[]
}

function textField(name: string, { shape = 'AllProperties', since, choices }: TextOptions = {}): ContactField {
  return {
    uri: uriOf(name),
    name,
    shape,
    ...(since !== undefined && { since }),
    write: ({ content }, context) => optionalText(name, cut(content.texts[name], context)),
    value: ({ content }) => content.texts[name],
    set(item, { text }) {
      if (choices !== undefined && !choices.includes(text.trim())) {
        throw schemaViolation(
          `The '${name}' element is invalid - The value '${text}' is invalid according to its datatype.`,
        )
      }
      change(item, { texts: withEntry(item.content.texts, name, text === '' ? undefined : text) })
    },
    remove: (item) => change(item, { texts: withEntry(item.content.texts, name, undefined) }),
  }
}

function optionalText(name: string, text: string | undefined): Xml | undefined {
  return text === undefined || text === '' ? undefined : element(`t:${name}`, text)
}

function listField(name: string): ContactField {
  const stringsOf = (node: XmlNode) => childrenOf(node, 'String').map(({ text }) => text)
  return {
    uri: uriOf(name),
    name,
    shape: 'AllProperties',
    write: ({ content: { lists } }) =>
      lists[name]?.length
        ? element(
            `t:${name}`,
            lists[name].map((text) => element('t:String', text)),
          )
        : undefined,
    value: ({ content }) => content.lists[name],
    set: (item, written) => change(item, { lists: withEntry(item.content.lists, name, stringsOf(written)) }),
    remove: (item) => change(item, { lists: withEntry(item.content.lists, name, undefined) }),
  }
}

function timeField(name: string): ContactField {
  return {
    uri: uriOf(name),
    name,
    shape: 'AllProperties',
    write: ({ content: { times } }, { call }) =>
      times[name] === undefined ? undefined : element(`t:${name}`, timeText(call, times[name])),
    value: ({ content }) => content.times[name],
    set(item, { text }) {
      const hasOffset = /(Z|[+-]\d\d:\d\d)$/.test(text.trim())
      const ms = Date.parse(hasOffset ? text.trim() : `${text.trim()}Z`)
      if (Number.isNaN(ms)) throw schemaViolation(`The '${name}' element is invalid: '${text}'.`)
      change(item, { times: withEntry(item.content.times, name, ms) })
    },
    remove: (item) => change(item, { times: withEntry(item.content.times, name, undefined) }),
  }
}

const fileAsMappings = [
  ...['None', 'LastCommaFirst', 'FirstSpaceLast', 'Company', 'LastCommaFirstCompany', 'CompanyLastFirst', 'LastFirst'],
  ...['LastFirstCompany', 'CompanyLastCommaFirst', 'LastFirstSuffix', 'LastSpaceFirstCompany', 'CompanyLastSpaceFirst'],
  ...['LastSpaceFirst', 'DisplayName', 'FirstName', 'LastFirstMiddleSuffix', 'LastName', 'Empty'],
]

const fileAsField: ContactField = {
  ...textField('FileAs', { shape: 'Default' }),
  write: ({ content }, context) => optionalText('FileAs', cut(fileAs(content), context)),
  value: ({ content }) => fileAs(content),
  /** Writing `FileAs` ends its derivation from other fields, unless the same request sets a mapping. */
  set(item, { text }) {
    const texts = withEntry(item.content.texts, 'FileAs', text)
    change(item, { texts: texts.FileAsMapping === undefined ? texts : withEntry(texts, 'FileAsMapping', 'None') })
  },
}

export const hasPicture = ({ content: { attachments } }: StoredItem<Pick<ContactContent, 'attachments'>>): boolean =>
  attachments.some(({ isContactPhoto }) => isContactPhoto === true)

export const valueFields: readonly ContactField[] = [
  fileAsField,
  textField('FileAsMapping', { choices: fileAsMappings }),
  ...['DisplayName', 'CompanyName'].map((name) => textField(name, { shape: 'Default' })),
  ...['GivenName', 'Surname'].map((name) => textField(name, { shape: 'Default' })),
  ...['Initials', 'MiddleName', 'Nickname', 'AssistantName', 'BusinessHomePage', 'Department', 'Generation'].map(
    (name) => textField(name),
  ),
  ...['Manager', 'Mileage', 'OfficeLocation', 'Profession', 'SpouseName'].map((name) => textField(name)),
  textField('JobTitle', { shape: 'Default' }),
  textField('PostalAddressIndex', { choices: ['None', ...addressKeys] }),
  // Phonetic names, used for Japanese.
  ...['PhoneticFirstName', 'PhoneticLastName', 'PhoneticFullName'].map((name) =>
    textField(name, { since: 'Exchange2010_SP2' }),
  ),
  listField('Children'),
  listField('Companies'),
  timeField('Birthday'),
  timeField('WeddingAnniversary'),
  {
    uri: 'contacts:CompleteName',
    name: 'CompleteName',
    shape: 'Default',
    onlyGet: true,
    write(item) {
      const parts = completeName(item)
      if (parts.length === 0) return undefined
      return element(
        't:CompleteName',
        parts.map(([name, text]) => element(`t:${name}`, text)),
      )
    },
  },
  {
    uri: 'contacts:HasPicture',
    name: 'HasPicture',
    shape: 'AllProperties',
    since: 'Exchange2010',
    write: (item) => element('t:HasPicture', hasPicture(item)),
    value: hasPicture,
  },
]
