/** Large bodies are held in memory: a node takes as many at once as it has room for. */
import { ApiError } from '../lib/api-error.ts'

/** Room that was taken, until it is disposed of. */
export interface Room extends Disposable {
  /** Gives back what is not needed, once it is known how much is. */
  need(bytes: number): void
}

export interface UploadRoom {
  /** Throws when there is none. */
  take(bytes: number): Room
}

export function createUploadRoom(most: number): UploadRoom {
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
