/** Collects the figures of all processes for the one that was asked for `/metrics`. */
import type { Family } from '../telemetry/exposition.ts'
import type { GatheredFigures, ProcessState, ReplaceReason } from './messages.ts'
import type { SupervisedProcess } from './supervised-process.ts'

/** A process that has not answered by then is left out. */
const gatherMs = 2_000

export interface Gathering {
  /** Asks all ready processes, and sends the result to `asking`. */
  gather(requesting: SupervisedProcess, id: number): void
  /** A process has answered. */
  answered(from: SupervisedProcess, id: number, families: Family[]): void
  /** Counts a replaced process. */
  replaced(reason: ReplaceReason): void
}

interface FigureRound {
  figures: GatheredFigures
  missing: Set<SupervisedProcess>
  finish(): void
}

export function createGathering(processes: () => readonly SupervisedProcess[], waitMs = gatherMs): Gathering {
  const replaced: Record<ReplaceReason, number> = { crash: 0, hang: 0, reload: 0 }
  const underWay = new Map<number, FigureRound>()
  let last = 0
  return {
    gather(requesting, id) {
      const key = ++last
      const states: Record<ProcessState, number> = { starting: 0, ready: 0, draining: 0 }
      for (const { state } of processes()) states[state]++
      const requested = processes().filter(({ state }) => state === 'ready')
      const figures: GatheredFigures = {
        processes: [],
        states,
        replaced: { ...replaced },
        residentBytes: process.memoryUsage.rss(),
      }
      const finish = (): void => {
        if (!underWay.delete(key)) return
        clearTimeout(timer)
        figures.processes.sort((a, b) => a.number - b.number)
        requesting.send({ type: 'figures', id, figures })
      }
      const timer = setTimeout(finish, waitMs)
      underWay.set(key, { figures, missing: new Set(requested), finish })
      for (const each of requested) each.send({ type: 'read-figures', id: key })
      if (requested.length === 0) finish()
    },
    answered(from, id, families) {
      const gathered = underWay.get(id)
      if (!gathered?.missing.delete(from)) return
      gathered.figures.processes.push({ number: from.number, families })
      if (gathered.missing.size === 0) gathered.finish()
    },
    replaced: (reason) => void replaced[reason]++,
  }
}
