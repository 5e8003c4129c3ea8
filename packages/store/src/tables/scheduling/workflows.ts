import type { WorkflowTrigger } from '@waypost/contract'
import { type Queries, sql } from '../../engine/database.ts'
import { named, nullable, number, type RowOf, table, text, word } from '../../engine/table.ts'
import type { After } from '../mail/signatures.ts'

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

/** The workflows of the application, or those of one of its grants. */
export interface WorkflowOwner {
  applicationId: string
  grantId: string | null
}

const { columns, set } = workflows
const insert = workflows.insert()
const update = named<WorkflowRow>({
  name: 'workflows.update',
  text: `update workflows set
   ${set('name', 'template_id', 'trigger_event', 'delay', 'is_enabled', 'sender_name', 'sender_email')}
   where application_id = :application_id and id = :id`,
})

/** The statements for one kind of owner; the grant is a parameter or absent. */
const statementsOf = (name: string, owned: string, next: number) => ({
  list: sql<WorkflowRow>({
    name: `workflows.${name}.list`,
    text: `select ${columns} from workflows where application_id = $1 and ${owned}
     and (created_at, id) > ($${next}, $${next + 1}) order by created_at, id limit $${next + 2}`,
  }),
  count: sql<{ n: number }>({
    name: `workflows.${name}.count`,
    text: `select count(*) as n from workflows where application_id = $1 and ${owned}`,
  }),
  get: sql<WorkflowRow>({
    name: `workflows.${name}.get`,
    text: `select ${columns} from workflows where application_id = $1 and ${owned} and id = $${next}`,
  }),
  remove: sql({
    name: `workflows.${name}.remove`,
    text: `delete from workflows where application_id = $1 and ${owned} and id = $${next}`,
  }),
  enabled: sql<WorkflowRow>({
    name: `workflows.${name}.enabled`,
    text: `select ${columns} from workflows where application_id = $1 and ${owned} and trigger_event = $${next}
     and is_enabled = 1 order by created_at, id`,
  }),
})
const ofApplication = statementsOf('ofApplication', 'grant_id is null', 2)
const ofGrant = statementsOf('ofGrant', 'grant_id = $2', 3)

const on = ({ applicationId, grantId }: WorkflowOwner) =>
  grantId === null ? { ...ofApplication, whose: [applicationId] } : { ...ofGrant, whose: [applicationId, grantId] }

const first: After = { createdAt: -1, id: '' }

export const insertWorkflow = async (tx: Queries, row: WorkflowRow): Promise<void> =>
  void (await tx.run(...insert(row)))
/** In order of creation. */
export const listWorkflows = (
  queries: Queries,
  owner: WorkflowOwner,
  { after = first, limit }: { after: After | undefined; limit: number },
): Promise<WorkflowRow[]> => {
  const { list, whose } = on(owner)
  return queries.all(list, [...whose, after.createdAt, after.id, limit])
}
export const countWorkflows = async (queries: Queries, owner: WorkflowOwner): Promise<number> => {
  const { count, whose } = on(owner)
  return (await queries.get(count, whose))?.n ?? 0
}
export const getWorkflow = (queries: Queries, owner: WorkflowOwner, id: string): Promise<WorkflowRow | undefined> => {
  const { get, whose } = on(owner)
  return queries.get(get, [...whose, id])
}
export const updateWorkflow = (tx: Queries, row: WorkflowRow): Promise<number> => tx.run(...update(row))
export const deleteWorkflow = async (tx: Queries, owner: WorkflowOwner, id: string): Promise<boolean> => {
  const { remove, whose } = on(owner)
  return (await tx.run(remove, [...whose, id])) === 1
}
/** The workflows that send the mails of a trigger, in order of creation. */
export const enabledWorkflows = (
  queries: Queries,
  owner: WorkflowOwner,
  trigger: WorkflowTrigger,
): Promise<WorkflowRow[]> => {
  const { enabled, whose } = on(owner)
  return queries.all(enabled, [...whose, trigger])
}
