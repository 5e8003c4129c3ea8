/**
 * What is left to do of a change that takes several calls, packed into text: it is stored at the provider together with the
 * first call, so that whoever finds it after a crash can finish the change. Pure.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'

const maxBytes = 2 * 1024 * 1024

export const packJournal = (value: unknown): string => deflateRawSync(JSON.stringify(value)).toString('base64url')

/** Undefined where the text is none of ours. */
export function unpackJournal(text: string): unknown {
  try {
    return JSON.parse(inflateRawSync(Buffer.from(text, 'base64url'), { maxOutputLength: maxBytes }).toString())
  } catch {
    return undefined
  }
}
