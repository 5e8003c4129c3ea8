/** Approvals: actions of restricted credentials that wait for a person. */
import { z } from 'zod'
import { CreatedAt, choiceParam, cursorPaging, GrantId, Id, line, Timestamp } from '../fields.ts'
import { route } from '../route.ts'
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
    recipients: z
      .array(
        z.object({
          role: z.string().meta({ description: 'How the person is involved' }),
          email: z.string().meta({ description: 'Address' }),
          name: z.string().optional().meta({ description: 'Name; absent if unknown' }),
        }),
      )
      .meta({
        description:
          'Everybody who will receive something, with role `to`, `cc`, `bcc`, `reply_to`, `header`, `participant`, `resource`, `guest` or `organizer`',
      }),
    subject: z.string().optional().meta({ description: 'Subject of the message, or title of the event or object' }),
    text: z.string().optional().meta({ description: 'The whole text of the message or event, without markup' }),
    text_is_cut: z.boolean().optional().meta({
      description:
        'Whether `text` is cut, as in lists and notifications. `GET /v3/approvals/{approval_id}` returns all of it',
    }),
    html: z.string().optional().meta({
      description:
        'The HTML of the message, as it will be sent and as others wrote it: display it only where it cannot do harm, such as in a sandboxed frame. Absent in lists, in notifications and for plain text',
    }),
    attachments: z
      .array(
        z.object({
          filename: z.string().meta({ description: 'File name' }),
          content_type: z.string().meta({ description: 'Media type: by the first bytes, otherwise by the name' }),
          size: z.int().meta({ description: 'Size in bytes' }),
        }),
      )
      .meta({ description: 'Files of the message' }),
    details: z
      .array(
        z.object({
          label: z.string().meta({ description: 'What it is' }),
          value: z.string().meta({ description: 'Its value' }),
        }),
      )
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
      .meta({
        description:
          'Outcome; null before the action was carried out. In lists and notifications, `body` has only the ids',
      }),
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

export const ApprovalListQuery = z.object({
  status: choiceParam(ApprovalStatus.options).meta({ description: 'Only approvals in this state' }),
  grant_id: line(64).min(1).optional().meta({ description: 'Only approvals of this grant, by its id' }),
  credential_id: line(64)
    .min(1)
    .optional()
    .meta({ description: 'Only approvals that this API key or agent requested' }),
  ...cursorPaging(),
})
export type ApprovalListQuery = z.output<typeof ApprovalListQuery>

const at = '/v3/approvals'
const decided =
  'Only an administrator or an API key without limited rights decides. Repeating the decision returns the same result; another decision fails with 409.'

export const approvals = {
  list: route({
    right: 'every',
    method: 'GET',
    path: at,
    summary: 'List approvals, newest first',
    description:
      'Actions that wait for a person, and decided ones of the last 30 days. A restricted API key sees only its own. Texts are cut to 2,000 characters.',
    audience: 'application',
    query: ApprovalListQuery,
    returns: Approval,
    list: 'cursor',
  }),
  get: route({
    right: 'every',
    method: 'GET',
    path: `${at}/:approval_id`,
    summary: 'Get one approval',
    description: 'Returns exactly what will happen, with the whole text, or the outcome.',
    audience: 'application',
    returns: Approval,
    errors: ['not_found'],
  }),
  approve: route({
    right: 'never',
    method: 'POST',
    path: `${at}/:approval_id/approve`,
    summary: 'Approve an action, and carry it out',
    description: `The stored request is carried out once, exactly as it was shown. The response is returned once it is done: \`status\` is \`executed\`, or \`failed\` with the reason. If the credential was revoked, or the object was changed in the meantime, nothing happens and it fails. ${decided}`,
    audience: 'application',
    returns: Approval,
    errors: ['not_found', 'conflict'],
  }),
  reject: route({
    right: 'never',
    method: 'POST',
    path: `${at}/:approval_id/reject`,
    summary: 'Reject an action',
    description: `The action is never carried out. ${decided}`,
    audience: 'application',
    body: z.object({
      reason: line(1000).nullish().meta({ description: 'Why; shown to the requester' }),
    }),
    returns: Approval,
    errors: ['not_found', 'conflict'],
  }),
  draft: route({
    right: 'never',
    method: 'POST',
    path: `${at}/:approval_id/draft`,
    summary: 'Turn a message into a draft',
    description: `For \`messages.send\` and \`drafts.send\`: nothing is sent, and the message is a draft in the account, where a person can edit and send it. ${decided}`,
    audience: 'application',
    returns: Approval,
    errors: ['not_found', 'conflict'],
  }),
}
