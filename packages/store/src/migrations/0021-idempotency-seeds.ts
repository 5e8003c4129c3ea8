/**
 * Objects created at a provider are named after the seed of the idempotency key, which is the same for every attempt.
 */
export const idempotencySeeds = `
alter table idempotency_keys add column seed text not null default '';
`
