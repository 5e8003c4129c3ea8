/**
 * Answers that are ready within one turn of the event loop are written together at its end. Written one by one, between the
 * work for two requests, each answer wakes a client that has just gone to sleep. On shared processors that costs both
 * sides more than the answer itself.
 */

/** Bound of the answers that wait for the end of a turn, so that the first one does not wait for a long turn. */
const maxHeld = 64

export interface AnswersOfTurn {
  /** Calls `write` at the end of this turn. */
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
      else if (count >= maxHeld) writeAll()
    },
  }
}
