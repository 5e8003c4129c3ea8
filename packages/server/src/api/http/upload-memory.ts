/** Bounds the memory for large bodies, which are held in memory as a whole. */
import { ApiError } from '@waypost/platform/api-error'

/** Reserved memory, until it is disposed. */
export interface ReservedMemory extends Disposable {
  /** Corrects the reservation to what is held now. Throws when no memory is left for more. */
  need(bytes: number): void
}

export interface UploadMemory {
  /** Throws when no memory is left. One owner gets half of it at most. */
  take(bytes: number, owner?: string): ReservedMemory
}

export function createUploadMemory(max: number): UploadMemory {
  const ofOwners = new Map<string, number>()
  let taken = 0
  const check = (more: number, owner: string | undefined): void => {
    if (taken + more > max) throw tooMany('too many large requests at once')
    if (owner !== undefined && (ofOwners.get(owner) ?? 0) + more > max / 2) {
      throw tooMany('too many large requests of this application at once')
    }
  }
  const add = (bytes: number, owner: string | undefined): void => {
    taken += bytes
    if (owner === undefined) return
    const held = (ofOwners.get(owner) ?? 0) + bytes
    if (held > 0) ofOwners.set(owner, held)
    else ofOwners.delete(owner)
  }
  return {
    take(bytes, owner) {
      check(bytes, owner)
      let own = bytes
      add(bytes, owner)
      const need = (now: number): void => {
        if (now > own) check(now - own, owner)
        add(now - own, owner)
        own = now
      }
      return { need, [Symbol.dispose]: () => need(0) }
    },
  }
}

const tooMany = (problem: string): ApiError =>
  new ApiError('service_unavailable', `${problem}: try again`, { retryAfter: 2 })
