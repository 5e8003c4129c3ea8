/**
 * Indexes in the order of lists, so that a page does not depend on the amount of other rows: deliveries of a
 * destination by state, attempts by outcome, scheduled messages, objects by metadata.
 */
const keys = ['key1', 'key2', 'key3', 'key4', 'key5']
const tagged = [
  { table: 'message_metadata', behind: 'updated_at, message_id' },
  { table: 'object_metadata', behind: 'object, calendar_id, updated_at, object_id' },
]

const byMetadata = tagged.flatMap(({ table, behind }) =>
  keys.map(
    (key) => `drop index ${table}_by_${key};
create index ${table}_by_${key} on ${table} (${key}, grant_id, ${behind}) where ${key} is not null;`,
  ),
)

export const boundedReads = `
drop index deliveries_failed;
create index deliveries_failed on deliveries (webhook_id, id) where state = 'failed';

create index delivery_attempts_delivered on delivery_attempts (application_id, webhook_id, at)
  where status >= 200 and status < 300;
create index delivery_attempts_failed on delivery_attempts (application_id, webhook_id, at)
  where status is null or status < 200 or status >= 300;

create index sends_scheduled on sends (grant_id, due_at, schedule_id) where schedule_id is not null;
create index sends_open on sends (grant_id, due_at, schedule_id) where schedule_id is not null and closed_at is null;

${byMetadata.join('\n')}
`
