/** Each node tells how many destinations it delivers to: nodes share them evenly (`webhooks/leases/lease-choice.ts`). */
export const sharedLeases = 'alter table nodes add column leases integer not null default 0;'
