/** A view of somebody's time that is one figure for each stretch of it, as other organizations give it. Pure. */
export interface StatusBlock {
  start: number
  end: number
  /** As events say it: `free`, `tentative`, `busy`, `oof` or `workingElsewhere`. */
  status: string
}

/** By the figure of the stretch; what is unknown takes up time. */
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
