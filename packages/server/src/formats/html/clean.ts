// The newest text of a message, without what it quotes or forwards: from the lines of its text or HTML, those are dropped
// that an earlier message brought along, and on request the closing phrase.
import { withoutConclusion } from './clean-conclusion.ts'
import { htmlLines } from './clean-html.ts'
import { type CleanOptions, joinLines, textLines } from './clean-lines.ts'
import { withoutQuotes } from './clean-quotes.ts'

/** What is read of a body; no message is longer. */
const MAX_BODY = 2 * 1024 * 1024

/** The text that the writer of a message added to what it answers or forwards. */
export function clean(body: string, isHtml: boolean, options: CleanOptions): string {
  const source = body.slice(0, MAX_BODY)
  const newest = withoutQuotes(isHtml ? htmlLines(source, options) : textLines(source))
  return joinLines(options.remove_conclusion_phrases ? withoutConclusion(newest) : newest).toWellFormed()
}
