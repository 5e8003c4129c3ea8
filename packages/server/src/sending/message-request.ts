/** The fields of an outgoing message as a client writes them, and its HTML. */

export interface Person {
  name?: string | undefined
  email: string
}

export interface CustomHeader {
  name: string
  value: string
}

/** The fields that send requests and drafts have in common. */
export interface MessageRequest {
  from?: readonly Person[] | undefined
  to?: readonly Person[] | undefined
  cc?: readonly Person[] | undefined
  bcc?: readonly Person[] | undefined
  reply_to?: readonly Person[] | undefined
  subject?: string | undefined
  /** HTML, unless `is_plaintext`. */
  body?: string | undefined
  is_plaintext?: boolean | undefined
  reply_to_message_id?: string | undefined
  custom_headers?: readonly CustomHeader[] | undefined
}

/** The HTML of a message with its signature; undefined for plain text or an empty message. */
export function htmlOf(request: MessageRequest, signature?: string): string | undefined {
  if (request.is_plaintext) return undefined
  const body = request.body ?? ''
  if (signature === undefined || signature === '') return body === '' ? undefined : body
  return body === '' ? signature : appendToHtml(body, `<br>${signature}`)
}

/** Inserts before `</body>` or `</html>`, or at the end. */
export function appendToHtml(html: string, piece: string): string {
  const end = /<\/body\s*>(?!.*<\/body\s*>)|<\/html\s*>(?!.*<\/html\s*>)/is.exec(html.slice(-1_000))
  const at = end ? html.length - Math.min(html.length, 1_000) + end.index : html.length
  return html.slice(0, at) + piece + html.slice(at)
}
