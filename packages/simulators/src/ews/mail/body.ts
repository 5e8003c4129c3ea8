// Converts bodies to the requested form, and parses them.
import type { Body } from '../../shared/mail/content.ts'
import { htmlToText, rewriteHtml, textToHtml } from '../../shared/mail/html.ts'
import type { WriteContext } from '../model.ts'
import { EwsError } from '../soap/errors.ts'
import { isTrue, textOf, type XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'

export type BodyType = 'Best' | 'HTML' | 'Text'

/** A body in the requested form; Exchange rewrites HTML. */
export function bodyXml(tag: string, body: Body, { shape }: WriteContext, type: BodyType): Xml {
  const isHtml = type === 'HTML' || (type === 'Best' && body.contentType === 'html')
  const whole = isHtml ? htmlOf(body, isTrue(shape.node, 'FilterHtmlContent')) : textOfBody(body)
  const max = Number(textOf(shape.node, 'MaximumBodySize') ?? Number.POSITIVE_INFINITY)
  const IsTruncated = whole.length > max ? true : undefined
  return element(tag, { BodyType: isHtml ? 'HTML' : 'Text', IsTruncated }, whole.slice(0, max))
}

/** The form that `UniqueBodyType` or `NormalizedBodyType` requests. */
export function bodyTypeOf({ shape }: WriteContext, name: string): BodyType {
  return (textOf(shape.node, name) ?? 'Best') as BodyType
}

function htmlOf({ contentType, content }: Body, isFiltered: boolean): string {
  return contentType === 'html' ? rewriteHtml(content, !isFiltered) : textToHtml(content)
}

function textOfBody({ contentType, content }: Body): string {
  return contentType === 'html' ? htmlToText(content) : content
}

/** A `Body` or `NewBodyContent` element. */
export function readBody(written: XmlNode): Body {
  return { contentType: written.attributes.BodyType === 'HTML' ? 'html' : 'text', content: written.text }
}

/** Applies `AppendToItemField` to a body. */
export function appendBody(body: Body, written: XmlNode): Body {
  const more = readBody(written)
  if (body.content !== '' && more.contentType !== body.contentType) {
    throw new EwsError('ErrorInvalidPropertyAppend', 'The body that is appended is of another type.')
  }
  const { content } = body
  const end = more.contentType === 'html' ? content.search(/<\/body>/i) : -1
  if (end < 0) return { ...more, content: content + more.content }
  return { ...more, content: content.slice(0, end) + more.content + content.slice(end) }
}

const quotes = [
  /<hr[^>]*>\s*<div id="divRplyFwdMsg"/i,
  /<div class="gmail_quote/i,
  /<blockquote[\s>]/i,
  /^-----Original Message-----/m,
  /^On .{1,300} wrote:\s*$/m,
  /^>/m,
]

/** The body without quoted messages. */
export function uniqueBody(body: Body): Body {
  const places = quotes.map((quote) => body.content.search(quote)).filter((at) => at >= 0)
  return places.length === 0 ? body : { ...body, content: body.content.slice(0, Math.min(...places)) }
}
