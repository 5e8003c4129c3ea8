import type { Caller } from '../../../grants/caller.ts'

/** The grant of a credential that has exactly one. */
export function soleGrantOf({ grantId, credential }: Caller): string | undefined {
  if (grantId !== undefined) return grantId
  const grants = credential?.rights.grants
  const ids = credential?.grantIds ?? (grants && 'ids' in grants ? grants.ids : undefined)
  return ids?.length === 1 ? ids[0] : undefined
}
