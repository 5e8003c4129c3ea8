import { schemaChanges } from './0048-schema-changes.ts'
import { failedJobs } from './0049-failed-jobs.ts'
import { expand, type SchemaChange } from './schema-change.ts'

/**
 * In order of their numbers. A released change never changes. `migrate` creates the table of change 48 before it
 * looks at the list, because the steps of all others are recorded there.
 */
export const changes: readonly SchemaChange[] = [
  {
    ...{ number: 48, name: 'schema-changes', version: '1.0.0', compatibleFrom: '0.1.0' },
    steps: () => [expand('tables', schemaChanges)],
  },
  {
    ...{ number: 49, name: 'failed-jobs', version: '1.0.0', compatibleFrom: '0.1.0' },
    steps: () => [expand('tables', failedJobs)],
  },
]
