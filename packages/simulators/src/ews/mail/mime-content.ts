// Converts messages to and from MIME.
import { contentOfMime } from '../../shared/mail/from-mime.ts'
import { storedAttachments } from '../attachments/stored.ts'
import type { ChangeContext, WriteContext } from '../model.ts'
import { EwsError } from '../soap/errors.ts'
import type { XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'
import type { MailContent, MailItem } from './content.ts'
import { rawOf, rebuiltMime } from './reading.ts'

export function mimeXml({ content, receivedAt }: MailItem, { call }: WriteContext): Xml {
  const isRebuilt = call.world.oddities.rebuildsMime === true
  const raw = isRebuilt ? rebuiltMime(content, receivedAt) : rawOf(content, receivedAt)
  return element('t:MimeContent', { CharacterSet: 'UTF-8' }, Buffer.from(raw).toString('base64'))
}

/** Replaces the content of a message with the MIME in the element. */
export function setMime({ content }: MailItem, { text }: XmlNode, { call }: ChangeContext): void {
  takeMime(content, readMime(text), call.world.now())
}

function readMime(text: string): Uint8Array {
  const written = text.replace(/\s+/g, '')
  if (written === '' || written.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(written)) {
    throw new EwsError('ErrorMimeContentInvalidBase64String', 'The MIME content is not a valid base64 string.')
  }
  const raw = Buffer.from(written, 'base64')
  const source = raw.toString('latin1')
  // A message needs at least one header field.
  if (!/^[\x21-\x39\x3b-\x7e]+[ \t]*:/.test(source)) {
    throw new EwsError('ErrorMimeContentInvalid', 'The MIME content is invalid.')
  }
  const boundaries = [
    ...source.matchAll(/^Content-Type:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*?;\s*boundary="?([^"\r\n;]+)/gim),
  ]
  // Nested parts with the same boundary cannot be distinguished.
  if (new Set(boundaries.map(([, boundary]) => boundary)).size < boundaries.length) {
    throw new EwsError('ErrorMimeContentConversionFailed', 'The MIME content could not be converted.')
  }
  return raw
}

/** Replaces the content of a message with that of its MIME. */
export function takeMime(content: MailContent, raw: Uint8Array, now: number): void {
  const { attachments, ...text } = contentOfMime(raw)
  Object.assign(content, { text, raw, attachments: storedAttachments(attachments, now) } satisfies Partial<MailContent>)
}
