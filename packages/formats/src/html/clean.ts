/**
 * Extracts the newest text of a message, without quoted or forwarded content. Lines of earlier messages are removed
 * from its text or HTML, and on request the closing phrase.
 */
import { withoutConclusion } from './clean-conclusion.ts'
import { htmlLines } from './clean-html.ts'
import { type CleanOptions, joinLines, textLines } from './clean-lines.ts'
import { withoutQuotes } from './clean-quotes.ts'

/** The length of a body that is processed; no message is longer. */
const MAX_BODY = 2 * 1024 * 1024

/** The text that the author added to the answered or forwarded message. */
export function clean(body: string, isHtml: boolean, options: CleanOptions): string {
  const source = body.slice(0, MAX_BODY)
  const newest = withoutQuotes(isHtml ? htmlLines(source, options) : textLines(source))
  return joinLines(options.remove_conclusion_phrases ? withoutConclusion(newest) : newest).toWellFormed()
}
