/** Ids of one mailbox share a prefix and a suffix, which are stored once for many ids. Pure. */

export interface Affixes {
  prefix: string
  suffix: string
}

export function affixesOf(ids: readonly string[]): Affixes {
  const [first = '', ...others] = ids
  let head = first.length
  for (const id of others) while (!id.startsWith(first.slice(0, head))) head -= 1
  // The middle is never empty, so that a list of middles can be read again.
  const max = Math.min(...ids.map((id) => id.length)) - 1
  head = Math.max(0, Math.min(head, max))
  let tail = Math.max(0, max - head)
  for (const id of others) while (tail > 0 && !id.endsWith(first.slice(first.length - tail))) tail -= 1
  return { prefix: first.slice(0, head), suffix: tail === 0 ? '' : first.slice(first.length - tail) }
}

export const withoutAffixes = (id: string, { prefix, suffix }: Affixes): string =>
  id.slice(prefix.length, id.length - suffix.length)

export const withAffixes = (middle: string, { prefix, suffix }: Affixes): string => `${prefix}${middle}${suffix}`
