/**
 * Extracts the newest text of a message, without quoted or forwarded content. Lines of earlier messages are removed
 * from its text or HTML, and on request the closing phrase.
 */
import { htmlLines } from './clean-html.ts'
import { type CleanOptions, joinLines, type Line, textLines } from './clean-lines.ts'
import { withoutQuotes } from './clean-quotes.ts'

/** The length of a body that is processed; no message is longer. */
const MAX_BODY = 2 * 1024 * 1024

/** The text that the author added to the answered or forwarded message. */
export function clean(body: string, isHtml: boolean, options: CleanOptions): string {
  const source = body.slice(0, MAX_BODY)
  const newest = withoutQuotes(isHtml ? htmlLines(source, options) : textLines(source))
  return joinLines(options.remove_conclusion_phrases ? withoutConclusion(newest) : newest).toWellFormed()
}

// The closing phrases of English messages.

const PHRASES = new Set(
  [
    'best|all the best|all best|best regards|best wishes|my best|with best regards|with best wishes|bests',
    'regards|kind regards|kindest regards|warm regards|warmest regards|with regards|with kind regards|with warm regards',
    'warmly|warm wishes|many regards|regards and thanks|rgds|br|kr|thx|ty',
    'thanks|thanks again|thanks a lot|thanks so much|thanks very much|thanks in advance|many thanks|much appreciated',
    'thank you|thank you again|thank you so much|thank you very much|thank you in advance|thanks and regards',
    'thanks & regards|thanks and best regards|thanks & best regards|with thanks|with gratitude|gratefully',
    'sincerely|yours sincerely|sincerely yours|yours truly|truly yours|yours faithfully|faithfully yours|yours|very truly yours',
    'cheers|respectfully|respectfully yours|cordially|cordially yours|take care|talk soon|speak soon|see you soon|ttyl',
    'have a great day|have a nice day|have a good day|have a great weekend|have a nice weekend|have a good weekend',
    'looking forward to hearing from you|i look forward to hearing from you|love|lots of love|xoxo|ciao|later',
  ].flatMap((each) => each.split('|')),
)
const MAX_LENGTH = 40
/** A signature has at most this many lines after the phrase. */
const SIGNATURE_LINES = 12

/** Removes phrases that are alone on a line near the end. A message that contains nothing else keeps them. */
export function withoutConclusion(lines: readonly Line[]): Line[] {
  const filled = lines.flatMap(({ text }, index) => (text.trim() === '' ? [] : [index]))
  const from = filled[Math.max(1, filled.length - SIGNATURE_LINES)] ?? lines.length
  return lines.filter(({ text }, index) => index < from || !isPhrase(text))
}

function isPhrase(text: string): boolean {
  if (text.length > MAX_LENGTH * 2) return false
  const words = text
    .toLowerCase()
    .replaceAll(/[*_]+/g, '')
    .replace(/[\s,.!;:–—-]{1,20}$/, '')
    .trim()
  return PHRASES.has(words)
}
