import { z } from 'zod'
import { CreatedAt, cursorPaging, Id, line, selectParam } from '../fields.ts'
import { limits } from '../limits.ts'
import { headerText, isAddress } from '../outgoing.ts'
import { route } from '../route.ts'

/** The notifications about bookings, each of which a workflow can replace the built-in mails of. */
export const WorkflowTrigger = z
  .enum(['booking.created', 'booking.pending', 'booking.rescheduled', 'booking.cancelled', 'booking.reminder'])
  .meta({
    id: 'WorkflowTrigger',
    description:
      'What the mails of a workflow are about: a booking that was made or confirmed, that waits for the organizer, that was moved, that was cancelled or declined, or a reminder.',
  })
export type WorkflowTrigger = z.output<typeof WorkflowTrigger>

const maxDelay = limits.workflowDelayMinutes

export const WorkflowSender = z
  .object({
    name: headerText(256).optional().meta({ description: 'Display name of the sender; default: that of the account' }),
    email: z.string().max(320).refine(isAddress, { error: 'must be an email address' }).optional().meta({
      description:
        'Address of the sender. Only a workflow of a grant takes one, and only the address of its account: mail servers refuse others.',
    }),
  })
  .meta({ id: 'WorkflowSender', description: 'The sender of the mails of a workflow' })
export type WorkflowSender = z.output<typeof WorkflowSender>

export const Workflow = z
  .object({
    id: Id.meta({ description: 'Id of the workflow' }),
    app_id: Id.meta({ description: 'Id of the application' }),
    grant_id: Id.nullable().meta({ description: 'Id of its grant; null for a workflow of the application' }),
    name: z.string().meta({ description: 'Name for your own use; recipients do not see it' }),
    template_id: Id.meta({ description: 'Id of the template: subject and body of the mails' }),
    trigger_event: WorkflowTrigger,
    delay: z.int().meta({ description: 'Minutes between the event and the mails' }),
    is_enabled: z.boolean().meta({ description: 'Whether it sends mails. If false, the built-in mails are sent.' }),
    from: WorkflowSender.nullable().meta({ description: 'The sender; null: the account of the organizer' }),
    date_created: CreatedAt,
  })
  .meta({ id: 'Workflow', description: 'Mails about bookings, written with a template of yours' })
export type Workflow = z.output<typeof Workflow>

const fields = {
  name: line(256).min(1).meta({ description: 'Name for your own use, up to 256 characters' }),
  template_id: line(256).min(1).meta({
    description:
      'Id of a template with the same owner: a workflow of the application uses templates of the application, a workflow of a grant those of the grant',
  }),
  trigger_event: WorkflowTrigger,
}
const delay = z.int().min(0).max(maxDelay)
const delayWords = `Minutes between the event and the mails, up to ${maxDelay} (30 days)`
const sender = WorkflowSender.nullable().optional().meta({
  description: 'The sender of the mails; default: the account of the organizer',
})
const enabledWords = 'Whether it sends mails. If false, the built-in mails are sent.'

export const WorkflowDraft = z
  .object({
    ...fields,
    delay: delay.default(0).meta({ description: `${delayWords}; default: 0` }),
    is_enabled: z
      .boolean()
      .default(true)
      .meta({ description: `${enabledWords} Default: true` }),
    from: sender,
  })
  .meta({ id: 'WorkflowDraft', description: 'A new workflow' })
export type WorkflowDraft = z.output<typeof WorkflowDraft>

export const WorkflowChange = z
  .object({
    ...fields,
    delay: delay.meta({ description: delayWords }),
    is_enabled: z.boolean().meta({ description: enabledWords }),
    from: sender,
  })
  .partial()
  .meta({ id: 'WorkflowChange', description: 'Changes to a workflow. Absent fields stay unchanged.' })
export type WorkflowChange = z.output<typeof WorkflowChange>

/** The same operations for workflows of the application and for those of one grant. */
function workflowRoutes<const Path extends string, const Whose extends { audience: 'application' | 'grant' }>(
  at: Path,
  whose: Whose,
  owner: string,
) {
  const one = `${at}/:workflow_id` as const
  return {
    list: route({
      right: 'administration',
      ...whose,
      method: 'GET',
      path: at,
      summary: 'List workflows',
      description: `Oldest first, only those of ${owner}.`,
      query: z.object({ ...cursorPaging(), ...selectParam }),
      returns: Workflow,
      list: 'cursor',
    }),
    create: route({
      right: 'administration',
      ...whose,
      method: 'POST',
      path: at,
      summary: 'Create a workflow',
      description: `Its mails replace the built-in mails of the trigger. A workflow of the grant is used before one of the application. Up to ${limits.workflows} for ${owner}; several of one trigger each send their mails.`,
      body: WorkflowDraft,
      returns: Workflow,
    }),
    get: route({
      right: 'administration',
      ...whose,
      method: 'GET',
      path: one,
      summary: 'Get one workflow',
      description: 'Returns the workflow with the id of its template.',
      query: z.object(selectParam),
      returns: Workflow,
      errors: ['not_found'],
    }),
    update: route({
      right: 'administration',
      ...whose,
      method: 'PUT',
      path: one,
      summary: 'Change a workflow',
      description: 'Absent fields stay unchanged. Mails that wait for their delay are sent as the workflow then says.',
      query: z.object(selectParam),
      body: WorkflowChange,
      returns: Workflow,
      errors: ['not_found'],
    }),
    delete: route({
      right: 'administration',
      ...whose,
      method: 'DELETE',
      path: one,
      summary: 'Delete a workflow',
      description: 'The built-in mails are sent again. Mails that wait for their delay are not sent.',
      errors: ['not_found'],
    }),
  }
}

export const workflows = workflowRoutes('/v3/workflows', { audience: 'application' }, 'the application')
export const grantWorkflows = workflowRoutes(
  '/v3/grants/:grant_id/workflows',
  { audience: 'grant', own: true },
  'the grant',
)
