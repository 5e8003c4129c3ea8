/**
 * Answers that are ready within one turn of the event loop go out one after the other at its end. Written each by itself,
 * between the work for two requests, every answer wakes a client that has fallen asleep again; on a machine whose
 * processors are shared that costs both sides more than the answer does.
 */

/** So many are held back at most: whoever asked first in a long turn does not wait for all others. */
const mostHeld = 64

export interface AnswersOfTurn {
  /** Calls with the others of this turn. */
  add(write: () => void): void
}

export function answersOfTurn(nextTurn: (call: () => void) => void = setImmediate): AnswersOfTurn {
  let held: (() => void)[] = []
  const writeAll = (): void => {
    const writes = held
    held = []
    for (const write of writes) write()
  }
  return {
    add(write) {
      const count = held.push(write)
      if (count === 1) nextTurn(writeAll)
      else if (count >= mostHeld) writeAll()
    },
  }
}
