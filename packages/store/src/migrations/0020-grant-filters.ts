/** Indexes for the filters of the list of grants, which otherwise scan all grants of an application. */
const filtered = ['ip', 'account_id', 'workspace_id', 'connector_id', 'provider', 'status']

export const grantFilters = filtered
  .map((column) => `create index grants_by_${column} on grants (application_id, ${column}, created_at, id);`)
  .join('\n')
