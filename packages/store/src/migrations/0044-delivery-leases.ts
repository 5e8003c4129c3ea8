/** Renames the table of delivery leases after its contents. */
export const deliveryLeases = `
alter table lanes rename to delivery_leases;
drop index lanes_to_judge;
create index delivery_leases_to_judge on delivery_leases (judge_at) where judge_at is not null;
drop index lanes_to_retry;
create index delivery_leases_to_retry on delivery_leases (retry_at) where retry_at is not null;
`
