/** Ids of one mailbox begin and end alike: where many are kept, what they have in common is written once. Pure. */

export interface Affixes {
  prefix: string
  suffix: string
}

export function affixesOf(ids: readonly string[]): Affixes {
  const [first = '', ...others] = ids
  let head = first.length
  for (const id of others) while (!id.startsWith(first.slice(0, head))) head -= 1
  // What is left in the middle is never empty, so that a list of them can be read again.
  const most = Math.min(...ids.map((id) => id.length)) - 1
  head = Math.max(0, Math.min(head, most))
  let tail = Math.max(0, most - head)
  for (const id of others) while (tail > 0 && !id.endsWith(first.slice(first.length - tail))) tail -= 1
  return { prefix: first.slice(0, head), suffix: tail === 0 ? '' : first.slice(first.length - tail) }
}

export const withoutAffixes = (id: string, { prefix, suffix }: Affixes): string =>
  id.slice(prefix.length, id.length - suffix.length)

export const withAffixes = (middle: string, { prefix, suffix }: Affixes): string => `${prefix}${middle}${suffix}`
