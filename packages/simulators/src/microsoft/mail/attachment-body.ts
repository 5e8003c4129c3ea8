// Parses an attachment in a request.
import { isObject } from '../../shared/http.ts'
import type { AttachmentContent } from '../../shared/mail/content.ts'
import { mimeOf } from '../../shared/mail/to-mime.ts'
import { GraphError, invalidBody } from '../errors.ts'

/** The maximum size of a request with one attachment, as measured. */
const maxDirect = 3_145_611

export function attachmentOfJson(value: unknown): AttachmentContent {
  if (!isObject(value)) throw invalidBody('An attachment is an object.')
  const kind = /^#?microsoft\.graph\.(file|item)Attachment$/i
    .exec(String(value['@odata.type'] ?? ''))?.[1]
    ?.toLowerCase()
  if (kind === undefined) {
    throw new GraphError(400, 'ErrorInvalidRequest', 'The attachment has no type that can be created here.')
  }
  const name = typeof value.name === 'string' ? value.name : ''
  if (name === '') throw new GraphError(400, 'ErrorRequiredPropertyMissing', 'Required property is missing: name.')
  const isInline = value.isInline === true
  const contentId = typeof value.contentId === 'string' ? value.contentId : null
  if (kind === 'item') {
    return { kind: 'item', name, contentType: null, isInline, contentId, bytes: itemBytes(value.item, name) }
  }
  const bytes = Buffer.from(typeof value.contentBytes === 'string' ? value.contentBytes : '', 'base64')
  if (bytes.length > maxDirect) {
    throw new GraphError(413, 'ErrorAttachmentSizeLimitExceeded', 'The attachment size exceeds the allowable limit.')
  }
  const contentType = typeof value.contentType === 'string' ? value.contentType : typeOfName(name)
  return { kind: 'file', name, contentType, isInline, contentId, bytes }
}

/** The attached item, as MIME. */
function itemBytes(item: unknown, name: string): Uint8Array {
  const { subject, body } = isObject(item) ? item : {}
  const content = isObject(body) && typeof body.content === 'string' ? body.content : ''
  const isHtml = isObject(body) && String(body.contentType).toLowerCase() === 'html'
  return mimeOf({
    at: 0,
    attachments: [],
    content: {
      subject: typeof subject === 'string' ? subject : name,
      body: { contentType: isHtml ? 'html' : 'text', content },
      from: undefined,
      sender: undefined,
      to: [],
      cc: [],
      bcc: [],
      replyTo: [],
      internetMessageId: undefined,
      headers: [],
      references: [],
      importance: 'normal',
      wantsDeliveryReceipt: false,
      wantsReadReceipt: false,
      sentAt: undefined,
      attachments: [],
    },
  })
}

const types: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  html: 'text/html',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  ics: 'text/calendar',
}

export function typeOfName(name: string): string {
  return types[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream'
}
