/** Indexes that count grants and destinations per state, without reading their documents. */
export const countedStates = `
create index grants_by_state on grants (provider, status, blocked);
create index webhooks_by_status on webhooks (status);
`
