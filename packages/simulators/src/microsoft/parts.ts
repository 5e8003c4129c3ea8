// The parts of the simulated Graph. A new one is a line here; `part.ts` says what it is made of.
import { directoryPart } from './directory/directory.ts'
import type { GraphPart } from './part.ts'

export const parts: readonly GraphPart[] = [directoryPart]
