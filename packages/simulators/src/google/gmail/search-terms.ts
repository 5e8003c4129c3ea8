// The search operators and what they match. An unknown operator is treated as words, as Gmail does.

import { headerValue, walkParts } from '../../shared/mail/mime.ts'
import type { Mailbox } from './mailbox.ts'
import { plainText } from './resources.ts'
import type { StoredMessage } from './stored.ts'

export interface SearchContext {
  readonly mailbox: Mailbox
  readonly now: number
}

type Matcher = (message: StoredMessage) => boolean

/** Dates in a search are days in California. https://developers.google.com/workspace/gmail/api/guides/filtering */
const zone = 'America/Los_Angeles'
const sizes: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2 }
/** Search names that differ from the label's name. */
const labelNames: Readonly<Record<string, string>> = { drafts: 'DRAFT', draft: 'DRAFT', chats: 'CHAT' }

export function termMatcher(name: string, value: string, context: SearchContext): Matcher {
  switch (name) {
    case 'from':
    case 'to':
    case 'cc':
    case 'bcc':
      return inHeaders(
        name === 'to' ? ['to', 'cc', 'bcc'] : [name],
        value === 'me' ? context.mailbox.owner.email : value,
      )
    case 'deliveredto':
      return inHeaders(['delivered-to', 'to', 'cc'], value)
    case 'list':
      return inHeaders(['list-id'], value)
    case 'subject':
      return inHeaders(['subject'], value)
    case 'rfc822msgid':
      return ({ mime }) => bareId(headerValue(mime, 'message-id') ?? '') === bareId(value)
    case 'label':
      return withLabel(context.mailbox, value)
    case 'category':
      return ({ labels }) => labels.has(`CATEGORY_${value === 'primary' ? 'PERSONAL' : value.toUpperCase()}`)
    case 'in':
    case 'is':
      return inState(context.mailbox, value.toLowerCase())
    case 'has':
      return having(context.mailbox, value.toLowerCase())
    case 'filename':
      return ({ mime }) => walkParts(mime).some(({ filename }) => fileMatches(filename, value))
    default:
      return measured(name, value, context) ?? containing(name === '' ? value : `${name}:${value}`)
  }
}

/** Operators for times and sizes; undefined for any other. */
function measured(name: string, value: string, { now }: SearchContext): Matcher | undefined {
  switch (name) {
    case 'after':
    case 'newer': {
      const from = dayStart(value)
      return ({ internalDate }) => internalDate >= from
    }
    case 'before':
    case 'older': {
      const until = dayStart(value)
      return ({ internalDate }) => internalDate < until
    }
    case 'newer_than': {
      const from = ago(value, now)
      return ({ internalDate }) => internalDate >= from
    }
    case 'older_than': {
      const until = ago(value, now)
      return ({ internalDate }) => internalDate < until
    }
    case 'size':
    case 'larger': {
      const least = bytes(value)
      return ({ raw }) => raw.length >= least
    }
    case 'smaller': {
      const max = bytes(value)
      return ({ raw }) => raw.length < max
    }
    default:
      return undefined
  }
}

function inHeaders(names: readonly string[], value: string): Matcher {
  return ({ mime }) => names.some((name) => hasWords(headerValue(mime, name) ?? '', value))
}

function containing(words: string): Matcher {
  return ({ mime }) => {
    const heads = ['subject', 'from', 'to', 'cc', 'bcc'].map((name) => headerValue(mime, name) ?? '')
    const files = walkParts(mime).map(({ filename }) => filename)
    return [...heads, plainText(mime), ...files].some((text) => hasWords(text, words))
  }
}

/** Whether the words occur consecutively in the text. */
function hasWords(text: string, wanted: string): boolean {
  const words = wordsOf(wanted)
  if (words.length === 0) return wanted.trim() === '' || text.includes(wanted)
  return ` ${wordsOf(text).join(' ')} `.includes(` ${words.join(' ')} `)
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
}

/** A label by name; spaces and slashes may be written as hyphens. */
function withLabel(mailbox: Mailbox, value: string): Matcher {
  const plain = (name: string) => name.toLowerCase().replace(/[\s/]/g, '-')
  const wanted = plain(value)
  const system = labelNames[wanted]
  return ({ labels }) => [...labels].some((id) => id === system || plain(mailbox.labels.get(id)?.name ?? '') === wanted)
}

function inState(mailbox: Mailbox, value: string): Matcher {
  switch (value) {
    case 'anywhere':
      return () => true
    case 'read':
      return ({ labels }) => !labels.has('UNREAD')
    case 'archive':
      return ({ labels }) => !['INBOX', 'SENT', 'DRAFT', 'TRASH', 'SPAM'].some((id) => labels.has(id))
    default:
      return withLabel(mailbox, value)
  }
}

function having(mailbox: Mailbox, value: string): Matcher {
  const isLabelled: Matcher = ({ labels }) => [...labels].some((id) => mailbox.labels.get(id)?.type === 'user')
  switch (value) {
    case 'attachment':
      return ({ mime }) => walkParts(mime).some(({ filename }) => filename !== '')
    case 'userlabels':
      return isLabelled
    case 'nouserlabels':
      return (message) => !isLabelled(message)
    default:
      return () => false
  }
}

/** Matches a word of the name, or its extension. */
function fileMatches(filename: string, value: string): boolean {
  const ending = value.toLowerCase().replace(/^\./, '')
  return filename !== '' && (filename.toLowerCase().endsWith(`.${ending}`) || hasWords(filename, value))
}

function bareId(messageId: string): string {
  return messageId.trim().replace(/^<|>$/g, '')
}

/** `2026/11/30` or seconds since 1970. */
function dayStart(value: string): number {
  const parts = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})$/.exec(value)
  if (parts === null) return /^\d+$/.test(value) ? Number(value) * 1000 : Number.NaN
  const [year, month, day] = parts.slice(1).map(Number)
  const date = Temporal.PlainDate.from({ year: year ?? 0, month: month ?? 1, day: day ?? 1 })
  return date.toZonedDateTime(zone).epochMilliseconds
}

/** `2d`, `3m`, `1y` before now. */
function ago(value: string, now: number): number {
  const [, amount, unit] = /^(\d+)([hdmy])$/.exec(value) ?? []
  if (amount === undefined) return Number.NaN
  const units = { h: 'hours', d: 'days', m: 'months', y: 'years' } as const
  const moment = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('UTC')
  const name = units[unit as keyof typeof units]
  return moment.subtract({ [name]: Number(amount) }).epochMilliseconds
}

function bytes(value: string): number {
  const [, amount, unit = ''] = /^(\d+)([km]?)b?$/i.exec(value) ?? []
  return Number(amount ?? Number.NaN) * (sizes[unit.toLowerCase()] ?? 1)
}
