/**
 * What differs between kinds although the request is the same, and why. `same-answers.test.ts` fails for a difference
 * that is missing here and for a line that no answer needs. `docs/generated/providers.md` prints the table.
 */
import { calendarDifferences, contactDifferences, eventDifferences } from './calendar-differences.ts'
import type { Difference } from './difference.ts'
import { folderDifferences, mailDifferences } from './mail-differences.ts'

export const differences: readonly Difference[] = [
  ...mailDifferences,
  ...folderDifferences,
  ...calendarDifferences,
  ...eventDifferences,
  ...contactDifferences,
]
