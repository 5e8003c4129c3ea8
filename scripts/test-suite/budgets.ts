/**
 * A budget for each folder of tests, in processor seconds. A complete run fails when a folder exceeds its budget by more
 * than a tenth. Who needs more changes the folder's line in `budgets.json`, or makes something else cheaper.
 *
 * The files of a worker share one process, so a file also pays for what an earlier one left to the garbage collector. A
 * folder that exceeds its budget is therefore measured a second time, alone, and the smaller figure counts.
 *
 * Machines differ. On a slower one, the run is measured in its own unit: the folder in the middle of all is taken to use
 * its budget.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type RunTimes, secondsByFolder } from './report.ts'

/** By level, and then by folder. */
export type Budgets = Record<string, Record<string, number>>

export const readBudgets = (): Budgets =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, 'budgets.json'), 'utf8'))

const tolerance = 1.1
/** Differences below this are noise of short runs. */
const noiseSeconds = 5
/** Beside other programs, processors run slower, and for some files more than for others. Shared servers count as such. */
const maxOtherShare = 0.4

export interface Verdict {
  /** What exceeds its budget, in words. */
  exceeded: string[]
  /** The folders that exceed their budget. */
  folders: string[]
  /** Why nothing was compared. */
  skipped?: string
}

/** Compares a run with the budgets. `again` has the folders that were measured a second time. */
export function compareBudgets(
  budgets: Readonly<Record<string, number>>,
  times: Pick<RunTimes, 'files' | 'otherShare'>,
  again: ReadonlyMap<string, number> = new Map(),
): Verdict {
  const measured = secondsByFolder(times.files)
  const unbudgeted = [...measured.keys()].filter((folder) => budgets[folder] === undefined)
  const missing = unbudgeted.map(
    (folder) => `${folder} has no line: add one with ${Math.ceil(measured.get(folder) ?? 0)}`,
  )
  if (times.otherShare > maxOtherShare) {
    const share = (times.otherShare * 100).toFixed(0)
    return { exceeded: missing, folders: [], skipped: `other programs used ${share} % of the processors` }
  }
  const ratios = Object.entries(budgets).flatMap(([folder, budget]) => {
    const seconds = measured.get(folder)
    return seconds === undefined || budget < noiseSeconds ? [] : [seconds / budget]
  })
  // A line has room for a usual machine. A slower one has a longer second; a faster one has more room.
  const unit = Math.max(1, ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 1)
  const over = Array.from(measured).flatMap(([folder, seconds]) => {
    const budget = budgets[folder]
    if (budget === undefined) return []
    const used = Math.min(seconds, again.get(folder) ?? seconds) / unit
    return used <= Math.max(budget * tolerance, budget + noiseSeconds) ? [] : [{ folder, used, budget }]
  })
  return {
    exceeded: [...missing, ...over.map(({ folder, used, budget }) => `${folder}: ${used.toFixed(1)} s of ${budget} s`)],
    folders: over.map(({ folder }) => folder),
  }
}
