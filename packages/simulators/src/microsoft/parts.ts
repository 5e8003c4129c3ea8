// The parts of the simulated Graph. A new part is one line here; `part.ts` explains its structure.
import { onlineMeetingsPart } from './calendar/online-meetings.ts'
import { calendarPart } from './calendar/part.ts'
import { contactsPart } from './contacts/part.ts'
import { directoryPart } from './directory/directory.ts'
import { peoplePart } from './directory/people.ts'
import { placesPart } from './directory/places.ts'
import { mailPart } from './mail/mail.ts'
import type { GraphPart } from './part.ts'

export const parts: readonly GraphPart[] = [
  directoryPart,
  peoplePart,
  placesPart,
  mailPart,
  calendarPart,
  onlineMeetingsPart,
  contactsPart,
]
