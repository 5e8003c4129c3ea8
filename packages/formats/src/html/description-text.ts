/** The plain text of a description, which may be HTML or plain text: events do not say which. */
import { WORK_OF_DESCRIPTION } from './css/budget.ts'
import { type PlainInput, plainText } from './plain-text.ts'

/** The length of a description that is converted. */
const MAX_DESCRIPTION = 65_536
/** Descriptions from this length on take long enough to convert that a request leaves them to a thread. */
const LONG = 16_384

/** Elements that begin a line. Without them, the lines of the text are those of its source. */
const LINES = /<(?:p|br|div|table|tr|ul|ol|li|dl|h[1-6]|pre|hr|blockquote|center|section|article|body|html)[\s/>]/i
const INLINE =
  /<(?:a|abbr|b|big|cite|code|del|em|font|html-blob|i|img|ins|kbd|mark|q|s|small|span|strike|strong|sub|sup|time|tt|u|var)[\s/>]/i
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/i
/** Angle brackets of text, such as those around an address. */
const NO_TAG = /<(?!\/?[a-z][a-z\d-]*(?::[a-z]+)?[\s/>]|!)/gi

/** What to convert; undefined for a text without markup, which is its own plain text. */
function markupOf(description: string): PlainInput | undefined {
  if (!description.includes('<') && !description.includes('&')) return undefined
  const source = description.slice(0, MAX_DESCRIPTION)
  const input = (body: string): PlainInput => ({ body, keepsQuotes: true, work: WORK_OF_DESCRIPTION })
  if (LINES.test(source)) return input(`<div>${source.replace(NO_TAG, '&lt;')}`)
  if (INLINE.test(source)) return input(`<pre>${source.replace(NO_TAG, '&lt;')}`)
  return ENTITY.test(source) ? input(`<pre>${source.replaceAll('<', '&lt;')}`) : undefined
}

const cut = (description: string): string => description.slice(0, MAX_DESCRIPTION).toWellFormed()

/** The plain text of a description. */
export function textOfDescription(description: string): string {
  const markup = markupOf(description)
  return markup ? plainText(markup).text : cut(description)
}

/** The same for a request: `convert` converts long HTML. */
export async function textOfLongDescription(
  description: string,
  convert: (input: PlainInput) => Promise<string>,
): Promise<string> {
  const markup = markupOf(description)
  if (!markup) return cut(description)
  return markup.body.length < LONG ? plainText(markup).text : convert(markup)
}
