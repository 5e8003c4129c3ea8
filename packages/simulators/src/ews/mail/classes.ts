// The item class of an incoming message, by its kind of MIME.
import { headerValue, type MimePart, parseMime, walkParts } from '../../shared/mail/mime.ts'

const note = 'IPM.Note'

export function classOfMime(raw: Uint8Array): string {
  const root = parseMime(raw)
  const type = headerValue(root, 'content-type') ?? ''
  switch (root.mimeType) {
    case 'multipart/signed':
      return `${note}.SMIME.MultipartSigned`
    case 'application/pkcs7-mime':
    case 'application/x-pkcs7-mime':
      return `${note}.SMIME`
    case 'multipart/report':
      return reportClass(root, type)
    default:
      return note
  }
}

/** Reports about a message: not delivered, delivered, read. */
function reportClass(root: MimePart, contentType: string): string {
  if (/report-type="?disposition-notification/i.test(contentType)) return `REPORT.${note}.IPNRN`
  const status = walkParts(root).find(({ mimeType }) => mimeType === 'message/delivery-status')
  if (status === undefined) return note
  const [, action = ''] = /^Action:\s*(\w+)/im.exec(Buffer.from(status.content).toString()) ?? []
  const kinds: Readonly<Record<string, string>> = {
    delivered: 'DR',
    relayed: 'Relayed.DR',
    expanded: 'Expanded.DR',
    delayed: 'Delayed.DR',
  }
  return `REPORT.${note}.${kinds[action.toLowerCase()] ?? 'NDR'}`
}
