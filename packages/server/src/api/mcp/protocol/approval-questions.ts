/**
 * Approval by the person in front of the client. The question shows exactly what will happen, from the preview that the
 * service made of the request itself. What cannot be shown completely is decided only in the approval queue.
 */
import type { Approval, ApprovalKind, ApprovalPreview, ApprovalStatus } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { JsonValue } from '@waypost/platform/json/guard'
import { fieldOf, textIn } from '@waypost/platform/json/values'
import { momentOf } from '../content/moment.ts'
import type { ToolResult } from '../tool.ts'
import type { Answer, Decisions, Exchange, Question, Questions } from './exchange.ts'
import { codes, ProtocolFault } from './faults.ts'
import { isObject } from './json-rpc.ts'

/** Longer texts are not read in a dialog. */
const maxMessageLength = 20_000

const actions: Record<ApprovalKind, string> = {
  send: 'send this message',
  delete: 'delete this permanently',
  invite: 'notify these people',
}

/** Controls, and characters that change the direction or hide text, could make the text look like another one. */
const deceptive = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu
const oneLine = (text: string): string => text.replace(deceptive, '\ufffd')
const lines = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => `> ${oneLine(line.replaceAll('\t', '    '))}`)
    .join('\n')

/** What a person is shown. Every line that the agent wrote stands behind a label or a quotation mark. */
function describePreview({ kinds, requested_by: by }: Approval, preview: ApprovalPreview): string {
  const { recipients, subject, text, attachments, details } = preview
  const named = recipients.map(({ role, email, name }) => `${role}: ${oneLine(name ? `${name} <${email}>` : email)}`)
  const files = attachments.map(
    ({ filename, content_type: type, size }) => `${oneLine(filename)} (${oneLine(type)}, ${size} bytes)`,
  )
  return [
    `${oneLine(by.name)} asks to ${kinds.map((kind) => actions[kind]).join(' and to ')}:`,
    ...named,
    ...(subject === undefined ? [] : [`Subject: ${oneLine(subject)}`]),
    ...details.map(({ label, value }) => `${oneLine(label)}: ${oneLine(value)}`),
    ...files.map((file) => `Attachment: ${file}`),
    ...(text === undefined ? [] : ['Text:', lines(text)]),
  ].join('\n')
}

const requestedSchema = {
  type: 'object',
  properties: {
    approve: {
      type: 'boolean',
      title: 'Approve',
      description: 'Yes: do exactly this, once. No: do not do it',
    },
  },
  required: ['approve'],
}

/** The approval that a state names. */
function idIn(state: JsonValue): string {
  if (!isObject(state) || typeof state.approval !== 'string') throw tooLate()
  return state.approval
}

const tooLate = (): ProtocolFault =>
  new ProtocolFault(codes.invalidParams, 'this question was answered or has expired: get_approval tells its outcome')

/** Questions about approvals. */
export function approvalQuestions(approvals: Decisions): Questions {
  const find = async ({ caller }: Exchange, id: string): Promise<Approval> => {
    const approval = await approvals.get({ applicationId: caller.id, id })
    const { type, id: credentialId } = approval.requested_by
    const isOwn = type === caller.credential.type && credentialId === caller.credential.id
    if (!isOwn) throw tooLate()
    return approval
  }
  return {
    async questionOf(exchange, { approval: brief }): Promise<Question | undefined> {
      if (brief?.status !== 'pending' || !exchange.caller.credential.rights.elicitation) return undefined
      // The whole text: what was returned to the agent may be cut.
      const approval = await find(exchange, brief.id)
      if (approval.preview.text_is_cut) return undefined
      const message = describePreview(approval, approval.preview)
      if (message.length > maxMessageLength) return undefined
      return { message, requestedSchema, state: { approval: approval.id } }
    },
    async decide(exchange, state, answer): Promise<ToolResult> {
      const approval = await find(exchange, idIn(state)).catch(asFault)
      if (approval.status !== 'pending') throw tooLate()
      const decision = decisionOf(answer)
      if (decision === undefined) return resultOfApproval(approval)
      const { caller, request } = exchange
      const at = { applicationId: caller.id, id: approval.id }
      const by = `the person at the MCP client of ${caller.credential.name}`
      return resultOfApproval(await approvals.decide({ ...at, decision, by, signal: request.signal }).catch(asFault))
    },
    async outcomeOf(exchange, state): Promise<ToolResult | undefined> {
      const approval = await find(exchange, idIn(state)).catch(asFault)
      const isOpen = approval.status === 'pending' || approval.status === 'approved'
      return isOpen ? undefined : resultOfApproval(approval)
    },
  }
}

/** An approval that is gone or decided is no failure of the service. */
function asFault(error: unknown): never {
  const isLate = error instanceof ApiError && (error.code === 'not_found' || error.code === 'conflict')
  throw isLate ? tooLate() : error
}

/** The decision in an answer; undefined: the person has closed the question without one. */
function decisionOf(answer: Answer): 'approve' | 'reject' | undefined {
  if (answer.action === 'cancel') return undefined
  if (answer.action === 'decline') return 'reject'
  const { approve } = answer.content
  if (typeof approve === 'boolean') return approve ? 'approve' : 'reject'
  throw new ProtocolFault(codes.invalidParams, 'the answer needs approve: true or false')
}

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

/** The result of a tool whose action a person has decided about, or still has to. Fits the schema of every such tool. */
function resultOfApproval(approval: Approval): ToolResult {
  const { id, status, draft_id: draft, expires_at: until } = approval
  const text = [sentences[status], `approval id: ${id}`, ...idsIn(approval), ...(draft ? [`draft id: ${draft}`] : [])]
  return {
    content: [{ type: 'text', text: text.join('\n') }],
    structuredContent: { approval: { id, status, expires_at: momentOf(until, 'UTC').iso } },
    ...(status === 'failed' ? { isError: true } : undefined),
  }
}
