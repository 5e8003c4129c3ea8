// Rewrites HTML as Exchange does: it removes active content and adds a head with a charset.

const meta = '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">'

/** The body of a message as Graph returns it. */
export function rewriteHtml(html: string, isUnsafeAllowed: boolean): string {
  const clean = isUnsafeAllowed ? html : sanitize(html)
  const text = clean.replace(/\r?\n/g, '\r\n')
  if (/<head[\s>]/i.test(text)) {
    const bare = text.replace(/<meta[^>]+charset[^>]*>\s*/gi, '')
    return bare.replace(/<head([^>]*)>/i, `<head$1>\r\n${meta}`)
  }
  if (/<html[\s>]/i.test(text)) return text.replace(/<html([^>]*)>/i, `<html$1><head>\r\n${meta}</head>`)
  const body = /<body[\s>]/i.test(text) ? text : `<body>${text}</body>`
  return `<html><head>\r\n${meta}</head>${body}</html>`
}

function sanitize(html: string): string {
  return html
    .replace(/<(script|iframe|object|embed|applet)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, '')
    .replace(/<!DOCTYPE[^>]*>/gi, '')
    .replace(/\s+on\w+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, '')
    .replace(/((?:href|src)\s*=\s*["']?)\s*javascript:[^"'\s>]*/gi, '$1')
}

/** HTML converted to text, for previews and clients that prefer text. */
export function htmlToText(html: string): string {
  return html
    .replace(/<(script|style|head)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/\r?\n/g, ' ')
    .replace(/<br\s*\/?>/gi, '\r\n')
    .replace(/<\/(?:p|div|tr|li|h\d|blockquote)>/gi, '\r\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&nbsp;/gi, ' ')
    .replace(/&lt;/gi, '<')
    .replace(/&gt;/gi, '>')
    .replace(/&quot;/gi, '"')
    .replace(/&#(\d+);/g, (_whole, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&amp;/gi, '&')
    .replace(/[ \t]+/g, ' ')
    .replace(/ *\r\n */g, '\r\n')
    .trim()
}

export function textToHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<html><head>\r\n${meta}</head><body>${escaped.replace(/\r?\n/g, '<br>\r\n')}</body></html>`
}
