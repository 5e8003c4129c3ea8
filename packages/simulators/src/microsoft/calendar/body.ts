// The body of an event. HTML is returned inside an Exchange document, without active content. Text is returned as
// HTML unless the request asks for text.
import { isObject } from '../../shared/http.ts'
import { invalidProperty } from './recurrence.ts'
import type { EventContent } from './state.ts'

type Body = EventContent['body']

const head = '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">'
const previewLength = 255

export const emptyBody: Body = { contentType: 'html', content: '' }

export function parseBody(value: unknown): Body {
  if (value === null) return emptyBody
  if (!isObject(value)) throw invalidProperty('body')
  const { contentType = 'text', content = '' } = value
  const type = String(contentType).toLowerCase()
  if (type !== 'html' && type !== 'text') throw invalidProperty('body.contentType')
  if (content !== null && typeof content !== 'string') throw invalidProperty('body.content')
  return { contentType: type, content: type === 'html' ? exchangeHtml(content ?? '') : (content ?? '') }
}

/** HTML as Exchange stores it. */
export function exchangeHtml(html: string): string {
  if (html === '') return ''
  const inner = /<body[^>]*>([\s\S]*)<\/body>/i.exec(html)?.[1] ?? html.replace(/<!doctype[^>]*>|<\/?html[^>]*>/gi, '')
  const safe = inner
    .replace(/<(script|style|iframe|object)\b[\s\S]*?<\/\1>/gi, '')
    .replace(/<(script|iframe|object|embed|link|meta)\b[^>]*>/gi, '')
    .replace(/\son\w+\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi, '')
    .trim()
  return documentOf(safe)
}

function documentOf(inner: string): string {
  return `<html>\r\n<head>\r\n${head}\r\n</head>\r\n<body>\r\n${inner}\r\n</body>\r\n</html>\r\n`
}

/** The body in the type that the client prefers. */
export function bodyJson(body: Body, prefersText: boolean): Body {
  if (prefersText) return { contentType: 'text', content: textOf(body) }
  if (body.contentType === 'html') return body
  const lines = escapeHtml(body.content).replace(/\r?\n/g, '<br>\r\n')
  return {
    contentType: 'html',
    content: body.content === '' ? '' : documentOf(`<div class="PlainText">${lines}</div>`),
  }
}

export function previewOf(body: Body): string {
  return textOf(body).slice(0, previewLength)
}

function textOf({ contentType, content }: Body): string {
  if (contentType === 'text') return content
  return content
    .replace(/<head>[\s\S]*?<\/head>/i, '')
    .replace(/\r?\n/g, ' ')
    .replace(/<br\s*\/?>|<\/(p|div|li|tr)>/gi, '\r\n')
    .replace(/<[^>]+>/g, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/[ \t]+/g, ' ')
    .split('\r\n')
    .map((line) => line.trim())
    .join('\r\n')
    .trim()
}

export function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

/** The body with HTML appended. */
export function appendHtml(body: Body, html: string): Body {
  const { content } = bodyJson(body, false)
  const inner = /<body>\r\n([\s\S]*)\r\n<\/body>/.exec(content)?.[1] ?? ''
  return { contentType: 'html', content: documentOf(inner === '' ? html : `${inner}\r\n${html}`) }
}
