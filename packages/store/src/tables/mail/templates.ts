import type { TemplateEngine } from '@waypost/contract'
import { type Queries, sql } from '../../engine/database.ts'
import { named, nullable, number, type RowOf, table, text, word } from '../../engine/table.ts'
import type { After } from './signatures.ts'

const templates = table('templates', {
  id: text,
  application_id: text,
  /** null for a template of the application. */
  grant_id: nullable(text),
  name: text,
  subject: text,
  body: text,
  engine: word<TemplateEngine>(),
  created_at: number,
  updated_at: number,
})
export type TemplateRow = RowOf<typeof templates>

/** The templates of the application, or those of one of its grants. */
export interface TemplateOwner {
  applicationId: string
  grantId: string | null
}

const { columns, set } = templates
const insert = templates.insert()
const update = named<TemplateRow>({
  name: 'templates.update',
  text: `update templates set ${set('name', 'subject', 'body', 'engine', 'updated_at')}
   where application_id = :application_id and id = :id`,
})

/** The statements for one kind of owner; the grant is a parameter or absent. */
const statementsOf = (name: string, owned: string, next: number) => ({
  list: sql<TemplateRow>({
    name: `templates.${name}.list`,
    text: `select ${columns} from templates where application_id = $1 and ${owned}
     and (created_at, id) > ($${next}, $${next + 1}) order by created_at, id limit $${next + 2}`,
  }),
  count: sql<{ n: number }>({
    name: `templates.${name}.count`,
    text: `select count(*) as n from templates where application_id = $1 and ${owned}`,
  }),
  get: sql<TemplateRow>({
    name: `templates.${name}.get`,
    text: `select ${columns} from templates where application_id = $1 and ${owned} and id = $${next}`,
  }),
  remove: sql({
    name: `templates.${name}.remove`,
    text: `delete from templates where application_id = $1 and ${owned} and id = $${next}`,
  }),
})
const ofApplication = statementsOf('ofApplication', 'grant_id is null', 2)
const ofGrant = statementsOf('ofGrant', 'grant_id = $2', 3)

const on = ({ applicationId, grantId }: TemplateOwner) =>
  grantId === null ? { ...ofApplication, whose: [applicationId] } : { ...ofGrant, whose: [applicationId, grantId] }

const first: After = { createdAt: -1, id: '' }

export const insertTemplate = async (tx: Queries, row: TemplateRow): Promise<void> =>
  void (await tx.run(...insert(row)))
/** In order of creation. */
export const listTemplates = (
  queries: Queries,
  owner: TemplateOwner,
  { after = first, limit }: { after: After | undefined; limit: number },
): Promise<TemplateRow[]> => {
  const { list, whose } = on(owner)
  return queries.all(list, [...whose, after.createdAt, after.id, limit])
}
export const countTemplates = async (queries: Queries, owner: TemplateOwner): Promise<number> => {
  const { count, whose } = on(owner)
  return (await queries.get(count, whose))?.n ?? 0
}
export const getTemplate = (queries: Queries, owner: TemplateOwner, id: string): Promise<TemplateRow | undefined> => {
  const { get, whose } = on(owner)
  return queries.get(get, [...whose, id])
}
export const updateTemplate = (tx: Queries, row: TemplateRow): Promise<number> => tx.run(...update(row))
export const deleteTemplate = async (tx: Queries, owner: TemplateOwner, id: string): Promise<boolean> => {
  const { remove, whose } = on(owner)
  return (await tx.run(remove, [...whose, id])) === 1
}
