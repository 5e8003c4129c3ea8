/**
 * Indexes that find work among any number of other rows: destinations with new deliveries, destinations with retries
 * (`lanes.retry_at` is never later than the first retry), and streams that end. Totals over all applications are
 * stored too (`application-counts.ts`).
 */
export const foundByIndex = `
create index deliveries_new on deliveries (webhook_id) where state = 'waiting' and tries = 0;
alter table lanes add column retry_at bigint;
update lanes set retry_at = (select d.due_at from deliveries d
  where d.application_id = lanes.application_id and d.webhook_id = lanes.webhook_id and d.state = 'waiting'
  order by d.due_at, d.notification limit 1);
create index lanes_to_retry on lanes (retry_at) where retry_at is not null;

create index applications_streaming on applications (notification_stream_until) where notification_stream_until > 0;

create table installation_counts (
  name text primary key,
  amount bigint not null
);
insert into installation_counts (name, amount)
  select name, sum(amount) from application_counts where id = 'sum' group by name;
drop index application_counts_by_name;
`
