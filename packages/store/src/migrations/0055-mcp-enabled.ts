/** Whether the MCP endpoint serves an application. */
export const mcpEnabled = `
alter table applications add column mcp_enabled integer not null default 0;
`
