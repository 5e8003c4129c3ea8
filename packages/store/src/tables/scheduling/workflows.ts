import type { WorkflowTrigger } from '@waypost/contract'
import type { Queries } from '../../engine/database.ts'
import { named, nullable, number, type RowOf, table, text, word } from '../../engine/table.ts'
import { type Owner, ownedRows } from '../mail/owned-rows.ts'

const workflows = table('workflows', {
  id: text,
  application_id: text,
  /** null for a workflow of the application. */
  grant_id: nullable(text),
  name: text,
  template_id: text,
  trigger_event: word<WorkflowTrigger>(),
  /** In minutes. */
  delay: number,
  is_enabled: number,
  sender_name: nullable(text),
  sender_email: nullable(text),
  created_at: number,
})
export type WorkflowRow = RowOf<typeof workflows>
export type WorkflowOwner = Owner

const { columns, set } = workflows
const insert = workflows.insert()
const update = named<WorkflowRow>('workflows.update')`update workflows set
   ${set('name', 'template_id', 'trigger_event', 'delay', 'is_enabled', 'sender_name', 'sender_email')}
   where application_id = :application_id and id = :id`

const owned = ownedRows<WorkflowRow>('workflows', columns)
const enabled = owned.select(
  'enabled',
  (next) => `and trigger_event = $${next} and is_enabled = 1 order by created_at, id`,
)

export const insertWorkflow = async (tx: Queries, row: WorkflowRow): Promise<void> =>
  void (await tx.run(...insert(row)))
export const listWorkflows = owned.list
export const countWorkflows = owned.count
export const getWorkflow = owned.get
export const updateWorkflow = (tx: Queries, row: WorkflowRow): Promise<number> => tx.run(...update(row))
export const deleteWorkflow = owned.remove
/** The workflows that send the mails of a trigger, in order of creation. */
export const enabledWorkflows = (queries: Queries, owner: Owner, trigger: WorkflowTrigger): Promise<WorkflowRow[]> =>
  queries.all(...enabled(owner, trigger))
