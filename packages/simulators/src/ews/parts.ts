// The parts of the simulated Exchange. A new part is one line here; `part.ts` explains its structure.

import { calendarPart } from './calendar/part.ts'
import { contactsPart } from './contacts/part.ts'
import { directoryPart } from './directory/part.ts'
import { foldersPart } from './folders/part.ts'
import { itemsPart } from './items/part.ts'
import { mailPart } from './mail/part.ts'
import type { ExchangePart } from './part.ts'
import { syncPart } from './sync/part.ts'

export const parts: readonly ExchangePart[] = [
  ...[directoryPart, foldersPart, syncPart, itemsPart, mailPart],
  ...[calendarPart, contactsPart],
]
