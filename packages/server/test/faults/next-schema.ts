/** The schema change of a next version: columns of tables that are written all the time, an index, a backfill, a removal. */
import { expand, index } from '@waypost/store/migrations/schema-change'
import {
  dropLegacy,
  fillDoubled,
  indexDoubled,
  nextVersion,
  widen,
  withChange,
} from '../../../store/test/migrations/changing-schema.ts'

const busy = ['events', 'outbox', 'sends', 'grants']

export const nextSchema = {
  version: nextVersion,
  changes: withChange(
    [
      ...busy.map((table) =>
        expand(`${table}-column`, `alter table ${table} add column next_key text`, { [table]: 'access exclusive' }),
      ),
      widen,
      index('events_by_next_key', 'events', '(application_id, next_key)'),
      indexDoubled,
      fillDoubled(undefined, 1_000),
      // Used by this version's nodes until now, so that it has to wait for their end.
      dropLegacy(nextVersion),
    ],
    { compatibleFrom: '1.0.0' },
  ),
}
