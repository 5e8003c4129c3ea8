/** Texts that may be HTML, as a person can read them before a decision. */
import { limits } from '@waypost/contract'
import type { ReadableHtml } from '@waypost/formats/html/readable'
import type { WholeMessage } from '@waypost/formats/mime/whole'
import { invalidField } from '@waypost/platform/api-error'
import type { ParsePool } from '@waypost/platform/parsing/pool'
import { textOfHtml } from '../../sending/compose/text.ts'
import type { OutgoingFacts, OutgoingText } from './message-effects.ts'

/** The threads that read texts for a request. */
export interface TextReading {
  parse: ParsePool
  signal: AbortSignal
}

const looksLikeHtml = (text: string): boolean =>
  /<(?:!doctype|html|head|body|p|div|br|span|table|a|b|i|u|ul|ol|li|h[1-6]|img|font|strong|em|blockquote|pre|hr|style|svg)\b/i.test(
    text,
  )

/** Reads HTML in a worker thread. */
export async function readHtmlOf({ parse, signal }: TextReading, html: string): Promise<ReadableHtml> {
  const [outcome] = await parse.run<{ html: string }, ReadableHtml>('readable', [{ html }], { signal })
  if (!outcome?.ok) throw invalidField('body', 'cannot be read as HTML, so nobody could approve it')
  return outcome.value
}

/** A text that may be HTML, as a person can read it. */
export async function readableOf(
  reading: TextReading,
  body: string,
): Promise<{ text: string; readable: ReadableHtml | undefined }> {
  if (!looksLikeHtml(body)) return { text: body, readable: undefined }
  const readable = await readHtmlOf(reading, body)
  return { text: readable.text, readable }
}

/** Headers that the preview shows in another way, or that say nothing. */
const usual = /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*)$/i
const addressing = /^(?:from|to|cc|bcc|reply-to)$/i

/** Everything that recipients of a message get besides its usual headers. */
export async function wholeFacts(
  reading: TextReading,
  { headers, texts, files }: WholeMessage,
): Promise<Pick<OutgoingFacts, 'text' | 'headers' | 'files'>> {
  const named = new Set<string>()
  return {
    text: await textOfWhole(reading, texts),
    headers: headers.filter(({ name }) => {
      const key = name.toLowerCase()
      // All addresses are shown, but only the first one of other usual headers.
      const isShown = usual.test(key) && (addressing.test(key) || !named.has(key))
      named.add(key)
      return !isShown
    }),
    files: files.map(({ filename, type, size, head }) => ({ filename: filename ?? '', contentType: type, size, head })),
  }
}

/** What old mail programs show in place of a message that they cannot read; many programs write it. */
const notice = /^\s*this is an? [\w /-]{1,60}message in mime format\.?\s*$/i

/** Longer HTML is not compared. */
const maxCompared = 128 * 1024

/** All texts of a message. Mail programs choose between some of them, so each is shown. */
async function textOfWhole(reading: TextReading, texts: WholeMessage['texts']): Promise<OutgoingText> {
  const html = texts
    .flatMap(({ role, type, text }) => (role === 'body' && type === 'text/html' ? [text] : []))
    .join('\n')
  const generated = html.length < maxCompared ? bare(textOfHtml(html)) : undefined
  const shown: string[] = []
  const found: ReadableHtml[] = []
  for (const role of ['body', 'other form', 'outside'] as const) {
    for (const each of texts) {
      if (each.role !== role || (role === 'outside' && notice.test(each.text))) continue
      if (role === 'other form' && isGenerated(each, generated)) continue
      const { text, readable } =
        each.type === 'text/html' ? await readHtmlPart(reading, each.text) : await readableOf(reading, each.text)
      if (readable) found.push(readable)
      shown.push(headingOf(each) + text)
    }
  }
  // A longer text is refused where a person must read it, and otherwise nobody sees it.
  const all = shown.join('\n\n').slice(0, limits.approvalTextLength + 1)
  if (found.length === 0) return { body: all, isHtml: false, readable: undefined }
  return { body: html, isHtml: true, readable: together(all, found) }
}

/** Whether a text says what is made of the HTML of the same message. Then the person has read it there. */
const isGenerated = ({ type, text }: WholeMessage['texts'][number], generated: string | undefined): boolean =>
  type === 'text/plain' && generated !== undefined && text.length < maxCompared && bare(text) === generated

const bare = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

async function readHtmlPart(reading: TextReading, html: string): Promise<{ text: string; readable: ReadableHtml }> {
  const readable = await readHtmlOf(reading, html)
  return { text: readable.text, readable }
}

function headingOf({ role, type }: WholeMessage['texts'][number]): string {
  if (role === 'body') return ''
  return role === 'outside'
    ? '--- Outside of the parts of the message, where few mail programs show it ---\n'
    : `--- Another version (${type}), which some mail programs show instead ---\n`
}

const together = (text: string, found: readonly ReadableHtml[]): ReadableHtml => ({
  text,
  hidden: [...new Set(found.flatMap(({ hidden }) => hidden))],
  doubts: [...new Set(found.flatMap(({ doubts }) => doubts))],
  embeds: found.some(({ embeds }) => embeds),
  remoteHosts: [...new Set(found.flatMap(({ remoteHosts }) => remoteHosts))],
})
