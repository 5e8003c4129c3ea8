/** How many grants and destinations are in which state is counted by an index, without reading their documents. */
export const countedStates = `
create index grants_by_state on grants (provider, status, blocked);
create index webhooks_by_status on webhooks (status);
`
