/** The result of a tool whose action a person has decided about, or still has to. Fits the schema of every such tool. */

import type { Approval, ApprovalStatus } from '@waypost/contract'
import { fieldOf, textIn } from '@waypost/platform/json/values'
import { momentOf } from '../content/moment.ts'
import type { ToolResult } from '../tool.ts'

const sentences: Record<ApprovalStatus, string> = {
  pending:
    'Nothing has happened yet: this action waits for the approval of a person. get_approval reports the decision.',
  approved: 'A person approved this action. It is being carried out; get_approval reports the outcome.',
  executed: 'A person approved this action, and it was carried out.',
  failed: 'A person approved this action, but it failed. Do not repeat it without asking the user.',
  rejected: 'A person rejected this action. Nothing has happened. Do not repeat it and do not try another way.',
  drafted: 'A person turned this message into a draft instead of sending it. Nothing was sent.',
  expired: 'Nobody decided in time. Nothing has happened.',
}

/** The ids in the response of the action, which later calls need. */
function idsIn({ result }: Approval): string[] {
  const data = fieldOf(result?.body, 'data')
  return ['id', 'thread_id', 'booking_id', 'schedule_id'].flatMap((name) => {
    const id = textIn(data, name)
    return id === undefined ? [] : [`${name}: ${id}`]
  })
}

export function resultOfApproval(approval: Approval): ToolResult {
  const { id, status, draft_id: draft, expires_at: until } = approval
  const text = [sentences[status], `approval id: ${id}`, ...idsIn(approval), ...(draft ? [`draft id: ${draft}`] : [])]
  return {
    content: [{ type: 'text', text: text.join('\n') }],
    structuredContent: { approval: { id, status, expires_at: momentOf(until, 'UTC').iso } },
    ...(status === 'failed' ? { isError: true } : undefined),
  }
}
