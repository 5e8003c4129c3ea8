/**
 * What a send with an Idempotency-Key was asked to send, as a hash, so that the key with another payload is refused; and the
 * order in which reports and tracked messages have had their time.
 */
export const sendPayloads = `
alter table sends add column request_hash text;
create index send_reports_by_age on send_reports (created_at);
create index tracked_messages_by_age on tracked_messages (created_at);
`
