/** Request bodies: JSON, or a form if there are files. */
import type { RouteFacts } from './route-facts.ts'

/** A file to send. */
export interface OutgoingFile {
  filename: string
  content: Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string
  /** Derived from the file name if absent. */
  contentType?: string | undefined
  /** For a file shown in the text, where `<img src="cid:…">` names it. */
  contentId?: string | undefined
}

interface Given {
  body?: unknown
  files?: readonly OutgoingFile[]
  mime?: OutgoingFile['content']
}

/** Whether a call is sent as a form. */
export const isForm = ({ files, mime }: Given): boolean =>
  mime !== undefined || (files !== undefined && files.length > 0)

/** The body of a call. */
export function bodyOf(route: RouteFacts, { body, files = [], mime }: Given): string | FormData | undefined {
  if (mime !== undefined) {
    const form = new FormData()
    form.append('mime', blobOf(mime, 'message/rfc822'), 'message.eml')
    return form
  }
  if (files.length === 0) return body === undefined ? undefined : JSON.stringify(body)
  const form = new FormData()
  form.append(route.part ?? 'message', JSON.stringify(body ?? {}))
  for (const [index, { filename, content, contentType, contentId }] of files.entries()) {
    form.append(contentId ?? `file${index}`, blobOf(content, contentType), filename)
  }
  return form
}

const blobOf = (content: OutgoingFile['content'], type: string | undefined): Blob =>
  content instanceof Blob && type === undefined ? content : new Blob([content], type === undefined ? {} : { type })
