/** Texts that may be HTML, as a person can read them before a decision. */
import type { ReadableHtml } from '@waypost/formats/html/readable'
import { invalidField } from '@waypost/platform/api-error'
import type { Acted } from './acted.ts'

const looksLikeHtml = (text: string): boolean =>
  /<(?:!doctype|html|head|body|p|div|br|span|table|a|b|i|u|ul|ol|li|h[1-6]|img|font|strong|em|blockquote|pre|hr|style|svg)\b/i.test(
    text,
  )

/** Reads HTML in a worker thread. */
export async function readHtmlOf({ services, context }: Acted, html: string): Promise<ReadableHtml> {
  const [outcome] = await services.mail.threads.parse.run<{ html: string }, ReadableHtml>('readable', [{ html }], {
    signal: context.request.signal,
  })
  if (!outcome?.ok) throw invalidField('body', 'cannot be read as HTML, so nobody could approve it')
  return outcome.value
}

/** A text that may be HTML, as a person can read it. */
export async function readableOf(
  acted: Acted,
  body: string,
): Promise<{ text: string; readable: ReadableHtml | undefined }> {
  if (!looksLikeHtml(body)) return { text: body, readable: undefined }
  const readable = await readHtmlOf(acted, body)
  return { text: readable.text, readable }
}
