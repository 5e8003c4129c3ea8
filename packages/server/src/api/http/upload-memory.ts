/** Bounds the memory for large bodies, which are held in memory as a whole. */
import { ApiError } from '../../lib/api-error.ts'

/** Reserved memory, until it is disposed. */
export interface ReservedMemory extends Disposable {
  /** Corrects the reservation once the actual size is known. */
  need(bytes: number): void
}

export interface UploadMemory {
  /** Throws when no memory is left. */
  take(bytes: number): ReservedMemory
}

export function createUploadMemory(most: number): UploadMemory {
  let taken = 0
  return {
    take(bytes) {
      if (taken + bytes > most) {
        throw new ApiError('service_unavailable', 'too many large requests at once', { retryAfter: 2 })
      }
      let own = bytes
      taken += own
      const need = (now: number): void => {
        taken += now - own
        own = now
      }
      return { need, [Symbol.dispose]: () => need(0) }
    },
  }
}
