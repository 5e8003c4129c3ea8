/**
 * Each node reports the number of destinations that it delivers to, so that nodes share them evenly
 * (`webhooks/leases/lease-choice.ts`).
 */
export const sharedLeases = 'alter table nodes add column leases integer not null default 0;'
