/** What is made at a provider under a key is named after the key's seed, which stays the same for every try. */
export const idempotencySeeds = `
alter table idempotency_keys add column seed text not null default '';
`
