/** Labels as places: which of them a message is in, which only say how it is marked, and which Gmail alone sets. */

/** Labels that say what a message is like, not where it is. */
const isMark = (label: string): boolean =>
  ['UNREAD', 'STARRED', 'IMPORTANT', 'CHAT'].includes(label) ||
  /^CATEGORY_|_(STAR|BANG|CHECK|GUILLEMET|INFO|QUESTION)$/.test(label)

/** Labels that stay whatever anybody asks for. */
const isFixed = (label: string): boolean => label === 'SENT' || label === 'DRAFT'

export interface LabelChange {
  addLabelIds: string[]
  removeLabelIds: string[]
}

/**
 * What to change on messages with these labels. The folders come first, then the marks; marks that are not named stay, and
 * so does what Gmail alone sets.
 */
export function labelChange(
  labels: readonly string[],
  change: { folders?: readonly string[] | undefined; unread?: boolean | undefined; starred?: boolean | undefined },
): LabelChange {
  const { folders, unread, starred } = change
  const add = new Set(folders ?? [])
  const remove = new Set(
    folders === undefined ? [] : labels.filter((label) => !isMark(label) && !isFixed(label) && !add.has(label)),
  )
  for (const [label, on] of [
    ['UNREAD', unread],
    ['STARRED', starred],
  ] as const) {
    if (on === undefined) continue
    ;(on ? add : remove).add(label)
    ;(on ? remove : add).delete(label)
  }
  return { addLabelIds: [...add], removeLabelIds: [...remove] }
}

/** What is left to do on a message that has some labels already. */
export const missing = ({ addLabelIds, removeLabelIds }: LabelChange, labels: readonly string[]): LabelChange => ({
  addLabelIds: addLabelIds.filter((label) => !labels.includes(label)),
  removeLabelIds: removeLabelIds.filter((label) => labels.includes(label)),
})

export const isNothing = ({ addLabelIds, removeLabelIds }: LabelChange): boolean =>
  addLabelIds.length === 0 && removeLabelIds.length === 0
