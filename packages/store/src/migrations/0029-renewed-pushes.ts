/** A provider may report that its push subscription ends. The node that watches the grant then renews it. */
export const renewedPushes = `
alter table nudges add column renews_push integer not null default 0;
`
