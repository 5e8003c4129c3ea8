/** Large bodies are held in memory: a node takes as many at once as it has memory for. */
import { ApiError } from '../../lib/api-error.ts'

/** Memory that was taken, until it is disposed of. */
export interface ReservedMemory extends Disposable {
  /** Gives back what is not needed, once it is known how much is. */
  need(bytes: number): void
}

export interface UploadMemory {
  /** Throws when there is none. */
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
