/** The description of an event. Exchange wraps it in an HTML document. Pure. */
import type { ExchangeEvent } from './event-model.ts'

/** The content of the document's body; null if it is empty. */
export function descriptionOf({ body }: ExchangeEvent): string | null {
  const { content = '', contentType } = body ?? {}
  if (contentType === 'text') return content.trim() || null
  const inner = /<body[^>]*>([\s\S]*)<\/body>/i.exec(content)?.[1] ?? content
  return inner.trim() || null
}

const looksLikeHtml = /<\/?[a-z][a-z\d]*(?:\s[^<>]*)?\/?>/i

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A client's description as HTML; it may be HTML or plain text. */
const htmlOf = (text: string): string =>
  looksLikeHtml.test(text) ? text : escaped(text).replace(/\r\n|\r|\n/g, '<br>\n')

/** The body of an event; additions such as how to join are appended. */
export function bodyOf(description: string | null | undefined, added: readonly string[] = []) {
  const parts = [description ? htmlOf(description) : '', ...added].filter((part) => part !== '')
  return { contentType: 'html', content: parts.join('\n<br>\n') }
}

/**
 * The join information of the meeting that Graph created. A body without it ends the meeting
 * (https://learn.microsoft.com/graph/outlook-calendar-online-meetings), so it is copied to a new body.
 */
export function joinBlockOf(event: ExchangeEvent): string | undefined {
  const url = event.onlineMeeting?.joinUrl
  if (!event.isOnlineMeeting || url === undefined) return undefined
  const whole = descriptionOf(event) ?? ''
  const opening = [...whole.matchAll(/<div\s[^<>]*>/gi)].find(([tag]) =>
    /\sclass="([^"]*)"/i.exec(tag)?.[1]?.toLowerCase().includes('me-email-text'),
  )
  const block = opening && whole.slice(opening.index)
  return block?.includes(url) || block?.includes(escaped(url))
    ? block
    : `<div class="me-email-text"><a href="${escaped(url)}">Join the meeting now</a></div>`
}

/** How to join another conference, for guests that see only the text. */
export function joinText({ provider, url }: { provider: string; url: string }): string {
  return `<div>${escaped(provider)}: <a href="${escaped(url)}">${escaped(url)}</a></div>`
}
