/** Workflows: mails about bookings, made from a template and sent by the account of the organizer. */
import { limits, type Workflow, type WorkflowChange, type WorkflowDraft, type WorkflowSender } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { newId } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import { lockApplication } from '@waypost/store/tables/applications/applications'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { getTemplate } from '@waypost/store/tables/mail/templates'
import {
  countWorkflows,
  getWorkflow,
  insertWorkflow,
  updateWorkflow,
  type WorkflowOwner,
  type WorkflowRow,
} from '@waypost/store/tables/scheduling/workflows'

/** The application, or one of its grants. */
export interface Whose {
  application: { id: string }
  grant?: GrantRecord
}

export const ownerOf = ({ application, grant }: Whose): WorkflowOwner => ({
  applicationId: application.id,
  grantId: grant?.grant.id ?? null,
})

const senderOf = ({ sender_name: name, sender_email: email }: WorkflowRow): WorkflowSender | null =>
  name === null && email === null ? null : { ...(name === null ? {} : { name }), ...(email === null ? {} : { email }) }

export const workflowOf = (row: WorkflowRow): Workflow => ({
  id: row.id,
  app_id: row.application_id,
  grant_id: row.grant_id,
  name: row.name,
  template_id: row.template_id,
  trigger_event: row.trigger_event,
  delay: row.delay,
  is_enabled: row.is_enabled === 1,
  from: senderOf(row),
  date_created: seconds(row.created_at),
})

export async function needWorkflow(queries: Queries, owner: WorkflowOwner, id: string): Promise<WorkflowRow> {
  const row = await getWorkflow(queries, owner, id)
  if (!row) throw new ApiError('not_found')
  return row
}

async function checkTemplate(queries: Queries, owner: WorkflowOwner, id: string): Promise<void> {
  if (await getTemplate(queries, owner, id)) return
  const whose = owner.grantId === null ? 'the application' : 'the grant'
  throw invalidField('template_id', `${whose} has no such template; create it with the same owner as the workflow`)
}

/** The account of the organizer sends the mails, so its address is the only one that its server allows. */
export function checkSender({ grant }: Whose, sender: WorkflowSender | null | undefined): void {
  const email = sender?.email
  if (email === undefined) return
  if (!grant) {
    throw invalidField(
      'from.email',
      'a workflow of the application has no address of its own, because the account of each organizer sends its mails; leave it out, or create the workflow for the grant',
    )
  }
  const own = grant.grant.email
  if (own === undefined || own.toLowerCase() !== email.toLowerCase()) {
    throw invalidField('from.email', 'must be the address of the grant, which sends the mails; leave it out to use it')
  }
}

const senderColumns = (sender: WorkflowSender | null | undefined) => ({
  sender_name: sender?.name ?? null,
  sender_email: sender?.email ?? null,
})

export async function createWorkflow(
  tx: Queries,
  owner: WorkflowOwner,
  { from, is_enabled, ...fields }: WorkflowDraft,
  now: number,
): Promise<Workflow> {
  // Locks the application, so that the count stays correct.
  await lockApplication(tx, owner.applicationId)
  await checkTemplate(tx, owner, fields.template_id)
  if ((await countWorkflows(tx, owner)) >= limits.workflows) {
    throw invalidField('workflows', `there are ${limits.workflows} workflows, which is the limit; delete one first`)
  }
  const row: WorkflowRow = {
    ...fields,
    ...senderColumns(from),
    is_enabled: is_enabled ? 1 : 0,
    id: newId(),
    application_id: owner.applicationId,
    grant_id: owner.grantId,
    created_at: now,
  }
  await insertWorkflow(tx, row)
  return workflowOf(row)
}

export async function changeWorkflow(
  tx: Queries,
  owner: WorkflowOwner,
  id: string,
  { from, is_enabled, ...fields }: WorkflowChange,
): Promise<Workflow> {
  await lockApplication(tx, owner.applicationId)
  const row = await needWorkflow(tx, owner, id)
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const changed: WorkflowRow = {
    ...row,
    ...given,
    ...(is_enabled === undefined ? {} : { is_enabled: is_enabled ? 1 : 0 }),
    ...(from === undefined ? {} : senderColumns(from)),
  }
  if (changed.template_id !== row.template_id) await checkTemplate(tx, owner, changed.template_id)
  await updateWorkflow(tx, changed)
  return workflowOf(changed)
}
