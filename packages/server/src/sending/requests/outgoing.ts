/** Prepares a request to send or draft for composing: decodes files, renders the template, reads the signature. */
import {
  limits,
  type OutgoingAttachment,
  type TemplateEngine,
  type TemplateUse,
  type TrackingRequest,
} from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { randomBytes } from '@waypost/platform/crypto/random'
import { markerBytes } from '@waypost/providers/mail/large-files'
import type { Queries } from '@waypost/store/engine/database'
import type { Mailbox } from '@waypost/store/tables/mail/message-metadata'
import { getSignature, isForeignSignature } from '@waypost/store/tables/mail/signatures'
import { getTemplate, type TemplateRow } from '@waypost/store/tables/mail/templates'
import type { SendFile } from '../compose/compose.ts'
import { parseTemplate, renderTemplate } from '../compose/template.ts'
import type { Uploads } from '../uploads/uploads.ts'

/** Parts with these names are ordinary files; every other name is a content id. */
const plainPart = /^(?:file|files|attachment|attachments)\d*$/i
const contentId = /^[!-;=?-~]+$/
const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;[^\r\n]*)?$/
const control = /[^\P{Cc}\t]/u

/** All files of a request: those in its JSON, then the parts of its form. Uploads must be ready. */
export async function filesOf(
  { uploads }: { uploads: Pick<Uploads, 'find'> },
  at: Mailbox,
  { attachments, parts }: { attachments: readonly OutgoingAttachment[]; parts: readonly RequestFile[] },
): Promise<SendFile[]> {
  const files = await Promise.all(
    attachments.map((attachment, index) =>
      attachment.id === undefined ? attachedFile(attachment, index) : uploadedFile(uploads, at, { attachment, index }),
    ),
  )
  const total = files.reduce((sum, { content, upload }) => sum + (upload ? 0 : content.byteLength), 0)
  if (total > limits.messageFileBytes) {
    const problem = `max size of attachments for json is 3MB, received '${total}'`
    throw new ApiError('payload_too_large', `${problem}; larger ones are sent as multipart/form-data`)
  }
  return [...files, ...parts.map(partFile)]
}

function attachedFile(attachment: OutgoingAttachment, index: number): SendFile {
  const { filename = '', content = '', content_type = '', content_id, content_disposition = '' } = attachment
  const field = `attachments.${index}`
  checkType(content_type, `${field}.content_type`)
  const id = content_id && contentIdOf(content_id, `${field}.content_id`)
  const disposition = content_disposition.split(';', 1)[0]?.trim().toLowerCase()
  return {
    filename,
    contentType: content_type,
    content: Buffer.from(content, 'base64'),
    inline: disposition === 'inline' || (disposition !== 'attachment' && id !== undefined),
    ...(id ? { contentId: id } : {}),
  }
}

/** An uploaded file. Its content stays in the store; a marker stands for it. */
async function uploadedFile(
  uploads: Pick<Uploads, 'find'>,
  at: Mailbox,
  { attachment, index }: { attachment: OutgoingAttachment; index: number },
): Promise<SendFile> {
  const field = `attachments.${index}`
  if (attachment.content !== undefined) throw invalidField(`${field}.content`, 'cannot be combined with id')
  const { id, size, filename, contentType } = await uploads.find(at, attachment.id ?? '', `${field}.id`)
  const { filename: name = filename, content_type = contentType } = attachment
  const file = attachedFile({ ...attachment, filename: name, content_type }, index)
  return { ...file, content: randomBytes(markerBytes), upload: { id, size } }
}

function partFile({ name, filename, contentType = '', content }: RequestFile): SendFile {
  const part = shownPart(name)
  if (control.test(filename)) throw invalidField(part, 'has a file name with a line break in it')
  if (filename.length > 255) throw invalidField(part, 'has a file name of more than 255 characters')
  checkType(contentType, part)
  const file = { filename, contentType, content }
  return plainPart.test(name)
    ? { ...file, inline: false }
    : { ...file, inline: true, contentId: contentIdOf(name, part) }
}

function checkType(type: string, field: string): void {
  if (type !== '' && (control.test(type) || !mediaType.test(type))) {
    throw invalidField(field, 'the content type must read like application/pdf')
  }
}

function contentIdOf(written: string, field: string): string {
  const id = written.trim().replace(/^<([\s\S]*)>$/, '$1')
  if (id.length <= 255 && contentId.test(id)) return id
  throw invalidField(
    field,
    'cannot be a content id: it must be ASCII without spaces; a file that is not shown is named file',
  )
}

/** Checks the tracking options of a request; `host` is the host of this service. */
export function checkTracking(tracking: TrackingRequest | undefined, host: string): TrackingRequest | undefined {
  if (tracking?.domain_name === undefined) return tracking
  const domain_name = tracking.domain_name.trim().replace(/\.$/, '').toLowerCase()
  if (domain_name === host) return { ...tracking, domain_name }
  const problem = 'must be an active custom hostname for this organization'
  throw new ApiError('invalid_request', `tracking_options.domain_name ${problem}`, {
    validationErrors: { 'tracking_options.domain_name': problem },
  })
}

/** The HTML of a signature of the grant. */
export async function signatureOf(queries: Queries, at: Mailbox, id: string | undefined): Promise<string | undefined> {
  if (id === undefined) return undefined
  const row = await getSignature(queries, at, id)
  if (row) return row.body
  if (await isForeignSignature(queries, at, id)) {
    throw new ApiError('belongs_to_another_grant', 'signature_id: the signature belongs to another grant')
  }
  throw invalidField('signature_id', 'the grant has no such signature')
}

interface Text {
  subject?: string | undefined
  body?: string | undefined
  is_plaintext?: boolean | undefined
  template?: TemplateUse | undefined
}

/** Subject and body of a request: its own, or those of the named template. */
export async function textOf(queries: Queries, at: Mailbox, request: Text): Promise<Pick<Text, 'subject' | 'body'>> {
  const { subject, body, template, is_plaintext } = request
  if (!template) return { subject, body }
  const owners = [at.grantId, null].map((grantId) => ({ applicationId: at.applicationId, grantId }))
  let row: TemplateRow | undefined
  for (const owner of owners) row ??= await getTemplate(queries, owner, template.id)
  if (!row) throw invalidField('template.id', 'there is no such template')
  const { engine } = row
  const { variables, strict } = template
  return {
    subject: subject ?? renderSubject(row.subject, { engine, variables, strict }),
    body: body ?? renderTemplate(parseTemplate(row.body, engine, 'body'), { variables, strict, html: !is_plaintext }),
  }
}

/** Renders a subject, which is one line without HTML. */
export function renderSubject(
  text: string,
  { engine, ...rendering }: { engine: TemplateEngine; variables: Record<string, unknown>; strict: boolean },
): string {
  const subject = renderTemplate(parseTemplate(text, engine, 'subject'), { ...rendering, html: false })
  if (control.test(subject)) throw invalidField('subject', 'a variable has a line break in it')
  if (subject.length > limits.subjectLength) {
    throw invalidField('subject', `becomes longer than ${limits.subjectLength} characters`)
  }
  return subject
}

/** A file of a form; `name` is the name of its part. */
export interface RequestFile {
  name: string
  filename: string
  contentType: string | undefined
  content: Uint8Array
}

/** The name of a part, which comes from the client, shortened for an error message. */
export const shownPart = (name: string): string => name.slice(0, 60).replace(/\p{Cc}/gu, ' ')
