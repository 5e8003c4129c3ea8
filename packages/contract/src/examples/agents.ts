import type { Agent, agents } from '../agents/agents.ts'
import type { ExamplesOf } from './example.ts'
import { grantId } from './shared.ts'

const assistant: Agent = {
  id: '3f0b7c52-9d1e-4a86-8c47-25e9f1d06b38',
  object: 'agent',
  name: 'Example Assistant',
  client_id: 'https://assistant.example.com/oauth/client.json',
  client_uri: 'https://assistant.example.com',
  rights: {
    operations: ['mail.read', 'mail.draft', 'calendar.read'],
    grants: { ids: [grantId] },
    recipients: null,
    messages_per_hour: null,
    networks: null,
    approval: ['send', 'delete', 'invite'],
    elicitation: true,
  },
  grant_ids: [grantId],
  connected_by: 'ada@example.com',
  status: 'active',
  last_used_at: 1_736_430_000,
  created_at: 1_736_425_800,
}
const params = { agent_id: assistant.id }
const fewer: Agent['rights'] = { ...assistant.rights, operations: ['mail.read'] }

export const agentExamples: ExamplesOf<typeof agents> = {
  list: { answer: [assistant] },
  get: { params, answer: assistant },
  update: {
    params,
    body: { rights: { operations: ['mail.read'] } },
    answer: { ...assistant, rights: fewer },
  },
  delete: { params },
  requests: {
    params,
    answer: [
      {
        id: '7b1d9e36-40c8-4f52-9a17-c83e6d05f2b4',
        method: 'MCP',
        operation: 'messages.list',
        tool: 'find_messages',
        status: 200,
        error: null,
        grant_id: grantId,
        time: 1_736_430_000,
      },
    ],
  },
}
