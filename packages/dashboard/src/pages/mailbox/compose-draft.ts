/** Initial content of a composed message: a reply, a forward, or empty. */
import type { EmailName } from '@waypost/sdk'
import { plainText } from '../../foreign-text.ts'
import { exactTime } from '../../format.ts'
import type { Letter } from './letter.ts'

export interface DraftStart {
  title: string
  to: string
  cc: string
  subject: string
  body: string
  /** Id of the message that is replied to. */
  answers?: string
  /** The message whose attachments are forwarded. */
  filesOf?: Letter
}

export const blank: DraftStart = { title: 'New message', to: '', cc: '', subject: '', body: '' }

const written = ({ name, email }: EmailName): string =>
  name ? `${name.replaceAll(/[<>,;"]/g, ' ')} <${email}>` : email
const list = (people: readonly EmailName[]): string => people.map(written).join(', ')
const prefixed = (prefix: string, subject = ''): string =>
  new RegExp(`^${prefix}\\s*:`, 'i').test(subject) ? subject : `${prefix}: ${subject}`

const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`))
    .join('\n')

/** Maximum length of quoted text, in characters. */
const maxQuoted = 50_000
const textOf = ({ body = '' }: Letter): string => plainText(body).slice(0, maxQuoted)

export function replyTo(letter: Letter, own: string, toAll: boolean): DraftStart {
  const isOwn = (person: EmailName): boolean => person.email.toLowerCase() === own.toLowerCase()
  const from = letter.from ?? []
  // A reply to one's own message goes to its recipients.
  const writer = from.some(isOwn) ? (letter.to ?? []) : letter.reply_to?.length ? letter.reply_to : from
  const known = new Set(writer.map(({ email }) => email.toLowerCase()))
  const others = [...(letter.to ?? []), ...(letter.cc ?? [])].filter(
    (person) => !isOwn(person) && !known.has(person.email.toLowerCase()),
  )
  const said = `On ${exactTime(letter.date ?? 0)}, ${from.map(written).join(', ')} wrote:`
  return {
    title: toAll ? 'Reply to all' : 'Reply',
    to: list(writer),
    cc: toAll ? list(others) : '',
    subject: prefixed('Re', letter.subject),
    body: `\n\n${said}\n${quoted(textOf(letter))}\n`,
    answers: letter.id,
  }
}

export function forward(letter: Letter): DraftStart {
  const head = [
    '---------- Forwarded message ----------',
    `From: ${list(letter.from ?? [])}`,
    `Date: ${exactTime(letter.date ?? 0)}`,
    `Subject: ${letter.subject ?? ''}`,
    `To: ${list(letter.to ?? [])}`,
  ].join('\n')
  return {
    title: 'Forward',
    to: '',
    cc: '',
    subject: prefixed('Fwd', letter.subject),
    body: `\n\n${head}\n\n${textOf(letter)}\n`,
    filesOf: letter,
  }
}

/** Parses recipients as typed: addresses, or names with addresses in angle brackets, separated by commas. */
export function peopleIn(text: string | undefined): EmailName[] {
  return (text ?? '')
    .split(/[,;\n]+/)
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => {
      const [, name = '', email = each] = /^(.*?)\s*<([^<>]*)>$/.exec(each) ?? []
      const bare = name.replaceAll('"', '').trim()
      return bare ? { name: bare, email: email.trim() } : { email: email.trim() }
    })
}
