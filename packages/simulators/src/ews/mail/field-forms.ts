// Builders for the common kinds of message fields: text, boolean, time, people.
import type { Recipient } from '../../shared/mail/content.ts'
import type { Field, WriteContext } from '../model.ts'
import { EwsError } from '../soap/errors.ts'
import { timeText } from '../soap/times.ts'
import type { XmlNode } from '../xml/read.ts'
import { element } from '../xml/write.ts'
import type { MailContent, MailItem, MessageText } from './content.ts'
import { rewrite } from './content.ts'
import { peopleXml, readPeople } from './people.ts'

export type MailField = Field<MailContent>
export type Named = Pick<MailField, 'uri' | 'shape' | 'since' | 'onlyGet'>
export type Changes = Pick<MailField, 'set' | 'append' | 'remove'>

/** The maximum length of a text in lists. */
const foundLength = 255

/** A text, shortened in lists. */
export const cut = (text: string, { found }: WriteContext): string => (found ? text.slice(0, foundLength) : text)

const nameOf = (uri: string): string => uri.slice(uri.indexOf(':') + 1)

export function textField(
  named: Named,
  value: (item: MailItem) => string | undefined,
  changes: Changes = {},
): MailField {
  const name = nameOf(named.uri)
  return {
    ...named,
    name,
    value: (item) => value(item) || undefined,
    write(item, context) {
      const text = value(item)
      return text === undefined ? undefined : element(`t:${name}`, cut(text, context))
    },
    ...changes,
  }
}

export function plainField(
  named: Named,
  value: (item: MailItem) => number | boolean | undefined,
  changes: Changes = {},
): MailField {
  const name = nameOf(named.uri)
  return {
    ...named,
    name,
    value,
    write(item) {
      const known = value(item)
      return known === undefined ? undefined : element(`t:${name}`, known)
    },
    ...changes,
  }
}

export function timeField(
  named: Named,
  value: (item: MailItem) => number | undefined,
  changes: Changes = {},
): MailField {
  const name = nameOf(named.uri)
  return {
    ...named,
    name,
    value,
    write(item, { call }) {
      const time = value(item)
      return time === undefined ? undefined : element(`t:${name}`, timeText(call, time))
    },
    ...changes,
  }
}

/** A list of recipients. It is not searchable, and can be changed only on a draft. */
export function peopleField(named: Named, list: 'to' | 'cc' | 'bcc' | 'replyTo'): MailField {
  const name = nameOf(named.uri)
  const replace = (item: MailItem, people: readonly Recipient[]) => rewriteDraft(item, { [list]: people })
  return {
    ...named,
    name,
    onlyGet: true,
    write: ({ content }, { call }) => peopleXml(call, `t:${name}`, content.text[list]),
    set: (item, written, { call }) => replace(item, readPeople(call, written)),
    append: (item, written, { call }) => replace(item, [...item.content.text[list], ...readPeople(call, written)]),
    remove: (item) => replace(item, []),
  }
}

/** Applies a change that only a draft accepts. */
export function rewriteDraft({ content }: MailItem, change: Partial<MessageText>): void {
  if (!content.isDraft) {
    throw new EwsError(
      'ErrorInvalidPropertyUpdateSentMessage',
      'Update operation is invalid for property of a sent message.',
    )
  }
  rewrite(content, change)
}

/** A text of a message that can be set and deleted. */
export function settable(change: (value: string | undefined) => Partial<MessageText>): Changes {
  return {
    set: ({ content }, { text }) => rewrite(content, change(text)),
    remove: ({ content }) => rewrite(content, change(undefined)),
  }
}

export const isYes = ({ text }: XmlNode): boolean => ['true', '1'].includes(text.trim())

/** Parses the time of an element. */
export function readTime({ text, name }: XmlNode): number {
  const written = text.trim()
  const time = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(written) ? written : `${written}Z`)
  if (!Number.isNaN(time)) return time
  throw new EwsError('ErrorSchemaValidation', `The '${name}' element is invalid - The value '${written}' is invalid.`)
}
