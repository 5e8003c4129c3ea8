/** Approvals: actions of restricted credentials that wait for a person. */
import { z } from 'zod'
import { CreatedAt, GrantId, Id, Timestamp } from '../fields.ts'
import { ApprovalKind } from './key-rights.ts'

export const ApprovalStatus = z
  .enum(['pending', 'approved', 'executed', 'failed', 'rejected', 'drafted', 'expired'])
  .meta({
    id: 'ApprovalStatus',
    description:
      '`pending`: waits for a person; `approved`: is being carried out; `executed`: done; `failed`: approved, but the action was refused; `rejected`: a person refused it; `drafted`: a person turned the message into a draft to edit; `expired`: nobody decided in time',
  })
export type ApprovalStatus = z.output<typeof ApprovalStatus>

export const ApprovalRequester = z
  .object({
    type: z.enum(['api_key', 'agent']).meta({ description: 'Kind of credential' }),
    id: Id.meta({ description: 'Id of the API key or the agent' }),
    name: z.string().meta({ description: 'Name of the API key or the agent' }),
  })
  .meta({ id: 'ApprovalRequester', description: 'The credential that asked for the action' })
export type ApprovalRequester = z.output<typeof ApprovalRequester>

/** What a person sees before the decision. It is made by the service from the request itself. */
export const ApprovalPreview = z
  .object({
    recipients: z.array(z.object({ role: z.string(), email: z.string(), name: z.string().optional() })).meta({
      description:
        'Everybody who will receive something, with role `to`, `cc`, `bcc`, `reply_to`, `participant` or `guest`',
    }),
    subject: z.string().optional().meta({ description: 'Subject of the message, or title of the event or object' }),
    text: z.string().optional().meta({ description: 'The whole text of the message or event, without markup' }),
    text_is_cut: z.boolean().optional().meta({ description: 'Whether `text` is cut because it is too long' }),
    attachments: z
      .array(z.object({ filename: z.string(), content_type: z.string(), size: z.int() }))
      .meta({ description: 'Files of the message' }),
    details: z
      .array(z.object({ label: z.string(), value: z.string() }))
      .meta({ description: 'Further facts, such as the time and place of an event, or what is deleted' }),
  })
  .meta({ id: 'ApprovalPreview', description: 'Exactly what will happen' })
export type ApprovalPreview = z.output<typeof ApprovalPreview>

export const Approval = z
  .object({
    id: Id.meta({ description: 'Id of the approval' }),
    object: z.literal('approval').meta({ description: 'Always `approval`' }),
    grant_id: GrantId.nullable().meta({ description: 'The account that acts; null for actions of the application' }),
    kind: ApprovalKind,
    kinds: z.array(ApprovalKind).meta({ description: 'All kinds of the action; an action can be of several' }),
    operation: z.string().meta({ description: 'The operation of the API, such as `messages.send`' }),
    status: ApprovalStatus,
    requested_by: ApprovalRequester,
    preview: ApprovalPreview,
    hash: z.string().meta({ description: 'SHA-256 of the request. The approval covers exactly these bytes' }),
    result: z
      .object({
        status: z.int().meta({ description: 'HTTP status of the action' }),
        body: z.unknown().meta({ description: 'Response of the action, as the operation returns it' }),
      })
      .nullable()
      .meta({ description: 'Outcome; null before the action was carried out' }),
    reason: z.string().nullable().meta({ description: 'Why it was rejected or failed; null otherwise' }),
    draft_id: z.string().nullable().meta({ description: 'Id of the draft that it became; null otherwise' }),
    decided_by: z.string().nullable().meta({
      description: 'Who decided: an administrator, the owner of the account, or the person at the MCP client',
    }),
    decided_at: Timestamp.nullable().meta({ description: 'Time of the decision in Unix seconds' }),
    expires_at: Timestamp.meta({ description: 'Time until which a person can decide, in Unix seconds' }),
    created_at: CreatedAt,
  })
  .meta({ id: 'Approval', description: 'An action that waits for the approval of a person, or its outcome' })
export type Approval = z.output<typeof Approval>
