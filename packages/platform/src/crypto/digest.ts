/** SHA-256 of large content, piece by piece, so that other work runs in between. */
import { createHash } from 'node:crypto'
import { yieldBetween } from '../parsing/yielding.ts'

const sliceBytes = 1024 * 1024

/** The SHA-256 of some texts and bytes, concatenated, as hexadecimal. */
export async function sha256Of(parts: readonly (string | Uint8Array)[]): Promise<string> {
  const digest = createHash('sha256')
  const othersTurn = yieldBetween()
  for (const part of parts) {
    // Texts are hashed whole, because cutting a surrogate pair in half would change it.
    const step = typeof part === 'string' ? Math.max(part.length, 1) : sliceBytes
    for (let at = 0; at < part.length; at += step) {
      digest.update(typeof part === 'string' ? part : part.subarray(at, at + step))
      await othersTurn()
    }
  }
  return digest.digest('hex')
}
