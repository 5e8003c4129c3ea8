/**
 * The text of a body as a reader sees it: without hidden text and images, links with their target, and earlier messages
 * folded.
 */
import { htmlLines } from './clean-html.ts'
import { joinLines, type Line, textLines } from './clean-lines.ts'
import { withoutQuotes } from './clean-quotes.ts'
import type { Work } from './css/budget.ts'
import { hasOverrides, VisibleView } from './visible.ts'

export interface PlainText {
  readonly text: string
  /** Whether text was removed that people cannot see. */
  readonly hasHidden: boolean
  /** What may hide some of the text from people, or show it to them differently. */
  readonly doubts: readonly string[]
  /** Whether earlier messages were left out. */
  readonly isFolded: boolean
}

export interface PlainInput {
  readonly body: string
  readonly keepsQuotes: boolean
  /** How much work its styles may cause; without, that of a whole message. */
  readonly work?: Work
}

/** The length of a body that is processed. */
const MAX_BODY = 2 * 1024 * 1024
const options = {
  ignore_links: false,
  ignore_images: true,
  images_as_markdown: true,
  ignore_tables: true,
  remove_conclusion_phrases: false,
  html_as_markdown: false,
}
const tag =
  /<(?:!doctype|html|body|head|div|p|br|span|a|table|td|b|i|u|strong|em|font|h[1-6]|ul|ol|li|img|blockquote|center|style|pre|meta)\b[^<>]*>/i

/** Whether a body is HTML. A message does not say so. */
export const looksLikeHtml = (body: string): boolean => tag.test(body.slice(0, MAX_BODY))

export function plainText({ body, keepsQuotes, work }: PlainInput): PlainText {
  const source = body.slice(0, MAX_BODY)
  const isHtml = looksLikeHtml(source)
  const view = isHtml ? new VisibleView(source, keepsQuotes, work) : undefined
  const lines = view ? htmlLines(source, options, view) : textLines(source)
  const added = (view?.added ?? []).map((text): Line => ({ text: `[Added by a style: ${text}]`, quoted: 'no' }))
  const retained = keepsQuotes ? lines : withoutQuotes(lines)
  return {
    text: joinLines([...retained, ...added]).toWellFormed(),
    hasHidden: view?.hasHidden ?? false,
    doubts: view?.doubts ?? (hasOverrides(source) ? ['characters that reverse text'] : []),
    isFolded: retained.length < lines.length || lines.some(({ quoted }) => quoted === 'yes' && !keepsQuotes),
  }
}
