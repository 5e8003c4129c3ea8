/** Egress for tests, and the reasons of its refusals. */
import { createEgress, EgressError, type EgressOptions, type EgressReason } from '../../src/egress/egress.ts'

export const privateEgress = (options: Partial<EgressOptions> = {}) => createEgress({ mode: 'private', ...options })
export const publicEgress = (options: Partial<EgressOptions> = {}) =>
  createEgress({ mode: 'public', allowHttp: true, ownAddresses: () => [], ...options })

export async function failure(work: () => unknown): Promise<EgressError> {
  try {
    await work()
  } catch (error) {
    if (error instanceof EgressError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

export const reasonOf = async (work: () => unknown): Promise<EgressReason> => (await failure(work)).reason
