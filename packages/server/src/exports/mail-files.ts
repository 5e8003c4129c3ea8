/** A page of messages as a file: mbox, a zip of .eml files, or NDJSON. */
import { createHash } from 'node:crypto'
import { mboxParts } from '@waypost/formats/mbox/mbox'
import { writeZip, type ZipEntry } from '@waypost/formats/zip/zip'
import type { ListedMessage, ReadMessage, Skipped } from './message-reading.ts'

/** The messages of an mbox file. */
export async function* mboxOf(messages: AsyncIterable<ReadMessage>): AsyncGenerator<Uint8Array> {
  for await (const message of messages) {
    const { item } = message
    const at = item.date ?? 0
    if ('skipped' in message) yield* mboxParts(notice(item, message.skipped), { at })
    else yield* mboxParts(message.source, { from: item.from?.[0]?.email, at })
  }
}

/** A message in place of one that could not be read. Programs find it by its header. */
function notice(item: ListedMessage, { type, message }: Skipped): Buffer {
  const date = new Date((item.date ?? 0) * 1000).toUTCString().replace('GMT', '+0000')
  return Buffer.from(
    [
      'From: Waypost export <MAILER-DAEMON@waypost.invalid>',
      `Date: ${date}`,
      'Subject: A message could not be exported',
      `X-Waypost-Skipped: ${encodeURIComponent(item.id.toWellFormed())}`,
      'Content-Type: text/plain; charset=utf-8',
      'MIME-Version: 1.0',
      '',
      `The message could not be read: ${type}: ${message.replace(/[\r\n]+/g, ' ')}`,
      '',
    ].join('\n'),
  )
}

/** A zip of the messages. `index.ndjson` has one line for each: its file and its state, or why it is missing. */
export async function* zipOf(messages: AsyncIterable<ReadMessage>): AsyncGenerator<Uint8Array> {
  yield* writeZip(entriesOf(messages))
}

async function* entriesOf(messages: AsyncIterable<ReadMessage>): AsyncGenerator<ZipEntry> {
  const lines: string[] = []
  for await (const message of messages) {
    const { item } = message
    const facts = factsOf(item)
    if ('skipped' in message) lines.push(JSON.stringify({ ...facts, error: message.skipped }))
    else {
      const name = emlName(item)
      lines.push(JSON.stringify({ ...facts, file: name }))
      yield { name, at: item.date ?? 0, content: message.source }
    }
  }
  yield { name: 'index.ndjson', at: 0, content: Buffer.from(lines.map((line) => `${line}\n`).join('')) }
}

/** The state of a message. Providers list other fields too, some of them empty because the list did not ask for them. */
const factsOf = ({ id, thread_id, date, folders, unread, starred }: ListedMessage): Omit<ListedMessage, 'from'> => ({
  id,
  thread_id,
  date,
  folders,
  unread,
  starred,
})

/** The date and a digest of the id: nothing that a sender chose is part of the name. */
export function emlName({ id, date }: Pick<ListedMessage, 'id' | 'date'>): string {
  const time = new Date(Math.min(Math.max(date ?? 0, 0), 253_402_300_799) * 1000)
  const stamp = time.toISOString().replace(/[-:]|\.\d+/g, '')
  return `${stamp}-${createHash('sha256').update(id).digest('hex').slice(0, 20)}.eml`
}

/** One JSON object per line. */
export const lineOf = (object: unknown): Buffer => Buffer.from(`${JSON.stringify(object)}\n`)
