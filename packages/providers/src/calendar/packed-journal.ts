/**
 * Packs the remaining steps of a change that takes several calls into text. It is stored at the provider together
 * with the first call, so that the change can be finished after a crash. Pure.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'

const maxBytes = 2 * 1024 * 1024

export const packJournal = (value: unknown): string => deflateRawSync(JSON.stringify(value)).toString('base64url')

/** Undefined if the text is not ours. */
export function unpackJournal(text: string): unknown {
  try {
    return JSON.parse(inflateRawSync(Buffer.from(text, 'base64url'), { maxOutputLength: maxBytes }).toString())
  } catch {
    return undefined
  }
}
