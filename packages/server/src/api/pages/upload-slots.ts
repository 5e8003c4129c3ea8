/**
 * How many uploads a node receives at a time. Each of them holds about 3 MB and writes to the store, so their number is
 * limited. One application, or one address, gets a part of them, however slowly it sends. Several applications may be behind
 * one address, such as that of a proxy.
 */
import { ApiError } from '@waypost/platform/api-error'
import { networkOf } from '../../telemetry/password-guessing.ts'

export const maxUploads = 32
export const maxOf = { application: 8, address: 16 }

export interface UploadSlots {
  /** Takes a slot until it is disposed. Throws if there is none. */
  take(of: { application: string; address: string }): Disposable
}

export function createUploadSlots(): UploadSlots {
  const running = new Map<string, number>()
  let all = 0
  return {
    take({ application, address }) {
      const holders = { application: `application ${application}`, address: `address ${networkOf(address)}` }
      for (const name of ['application', 'address'] as const) {
        if ((running.get(holders[name]) ?? 0) < maxOf[name]) continue
        const problem = `this ${name} has ${maxOf[name]} uploads under way at this node, which is its limit`
        throw new ApiError('rate_limited', `${problem}: wait until one of them has ended`, { retryAfter: 5 })
      }
      if (all >= maxUploads) {
        const problem = `this node receives ${maxUploads} uploads, which is its limit`
        throw new ApiError('service_unavailable', `${problem}: try again`, { retryAfter: 5 })
      }
      const count = (by: number): void => {
        all += by
        for (const holder of Object.values(holders)) {
          const left = (running.get(holder) ?? 0) + by
          if (left > 0) running.set(holder, left)
          else running.delete(holder)
        }
      }
      count(1)
      let isTaken = true
      return {
        [Symbol.dispose]() {
          if (isTaken) count(-1)
          isTaken = false
        },
      }
    },
  }
}
