/** A merged view with one digit per interval, as other organizations return it. Pure. */
export interface StatusBlock {
  start: number
  end: number
  /** As in events: `free`, `tentative`, `busy`, `oof` or `workingElsewhere`. */
  status: string
}

/** By digit; an unknown digit counts as busy. */
const statuses: Readonly<Record<string, string>> = {
  0: 'free',
  1: 'tentative',
  2: 'busy',
  3: 'oof',
  4: 'workingElsewhere',
}

export const mergedBlocks = (figures: string, { from, seconds }: { from: number; seconds: number }): StatusBlock[] =>
  [...figures.trim()].map((figure, place) => ({
    start: from + place * seconds,
    end: from + (place + 1) * seconds,
    status: statuses[figure] ?? 'busy',
  }))
