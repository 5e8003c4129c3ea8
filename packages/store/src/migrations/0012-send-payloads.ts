/**
 * The hash of a send request with an Idempotency-Key, so that the key is rejected with another payload; and the order
 * in which reports and tracked messages expire.
 */
export const sendPayloads = `
alter table sends add column request_hash text;
create index send_reports_by_age on send_reports (created_at);
create index tracked_messages_by_age on tracked_messages (created_at);
`
