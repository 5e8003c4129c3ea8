// Attachments of events. https://learn.microsoft.com/graph/api/event-post-attachments
import { isObject, type JsonObject } from '../../shared/http.ts'
import { GraphError, invalidBody } from '../errors.ts'
import type { UploadItem } from '../upload-sessions.ts'
import { formatInstant } from './event-time.ts'
import { type Attachment, newKey } from './state.ts'

/** The maximum size in one request, as measured; larger files need an upload session. */
const maxBytes = 3_145_611

export function parseAttachment(value: unknown, now: number): Attachment {
  if (!isObject(value)) throw invalidBody('An attachment is an object.')
  const type = String(value['@odata.type'] ?? '').replace(/^#?microsoft\.graph\./i, '')
  const { name } = value
  if (typeof name !== 'string' || name === '') {
    throw new GraphError(400, 'ErrorRequiredPropertyMissing', 'Required property is missing: Name.')
  }
  const common = { id: newKey(), name, modified: now, isInline: value.isInline === true, contentId: null }
  switch (type) {
    case 'fileAttachment': {
      const content = bytesOf(value.contentBytes)
      const contentType = typeof value.contentType === 'string' ? value.contentType : 'application/octet-stream'
      const contentId = typeof value.contentId === 'string' ? value.contentId : null
      return { ...common, type: 'file', contentType, contentId, content, size: content.length }
    }
    case 'itemAttachment': {
      if (!isObject(value.item)) throw invalidBody('An item attachment has an item.')
      const content = Buffer.from(JSON.stringify(value.item))
      return { ...common, type: 'item', contentType: null, content, size: content.length, item: value.item }
    }
    default:
      throw invalidBody(`The type '${type}' cannot be attached to an event.`)
  }
}

/** The attachment that an upload session created. */
export function uploadedAttachment(item: UploadItem, content: Uint8Array, now: number): Attachment {
  const { name, contentType = 'application/octet-stream', isInline, contentId = null } = item
  return {
    id: newKey(),
    type: 'file',
    name,
    contentType,
    isInline,
    contentId,
    content,
    size: content.length,
    modified: now,
  }
}

function bytesOf(value: unknown): Uint8Array {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(value)) {
    throw invalidBody("Cannot convert the value of 'contentBytes' to the expected type 'Edm.Binary'.")
  }
  const bytes = Buffer.from(value, 'base64')
  if (bytes.length > maxBytes) {
    throw new GraphError(413, 'ErrorAttachmentSizeLimitExceeded', 'The attachment size exceeds the allowable limit.')
  }
  return bytes
}

export function attachmentJson(attachment: Attachment): JsonObject {
  const { id, type, name, contentType, size, isInline, modified, contentId, content, item } = attachment
  return {
    '@odata.type': `#microsoft.graph.${type}Attachment`,
    '@odata.mediaContentType': contentType ?? 'application/octet-stream',
    id,
    lastModifiedDateTime: formatInstant(modified),
    name,
    contentType,
    size,
    isInline,
    ...(type === 'file' && {
      contentId,
      contentLocation: null,
      contentBytes: Buffer.from(content).toString('base64'),
    }),
    ...(item !== undefined && { item }),
  }
}
