// The largest message that Gmail accepts.
import { GoogleError } from '../errors.ts'

const maxBytes = 35 * 1024 * 1024

export function checkSize(raw: Uint8Array): Uint8Array {
  checkLength(raw.length)
  return raw
}

export function checkLength(length: number): void {
  if (length > maxBytes) throw new GoogleError(413, 'uploadTooLarge', 'Request entity too large')
}
