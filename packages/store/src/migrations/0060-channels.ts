/**
 * Channels are destinations with another transport than a webhook. `settings` says where a channel publishes, as JSON;
 * null for webhooks. `tables/notifications/destination-status.ts` says how nodes of 1.2.0 are kept from delivering to
 * channels.
 */
export const channels = `
alter table webhooks add column transport text not null default 'webhook';
alter table webhooks add column settings text;
`
