import type { TemplateEngine } from '@waypost/contract'
import { type Queries, sql } from '../../engine/database.ts'
import type { After } from './signatures.ts'

export interface TemplateRow {
  id: string
  application_id: string
  /** null for a template of the application. */
  grant_id: string | null
  name: string
  subject: string
  body: string
  engine: TemplateEngine
  created_at: number
  updated_at: number
}

/** The templates of the application, or those of one of its grants. */
export interface TemplateOwner {
  applicationId: string
  grantId: string | null
}

const columns = 'id, application_id, grant_id, name, subject, body, engine, created_at, updated_at'

const insert = sql({
  name: 'templates.insert',
  text: `insert into templates (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  writes: ['templates'],
})
const update = sql({
  name: 'templates.update',
  text: 'update templates set name = $3, subject = $4, body = $5, engine = $6, updated_at = $7 where application_id = $1 and id = $2',
  writes: ['templates'],
})

/** The statements for one kind of owner; the grant is a parameter or absent. */
const statementsOf = (name: string, owned: string, next: number) => ({
  list: sql<TemplateRow>({
    name: `templates.${name}.list`,
    text: `select ${columns} from templates where application_id = $1 and ${owned}
     and (created_at, id) > ($${next}, $${next + 1}) order by created_at, id limit $${next + 2}`,
    reads: ['templates'],
  }),
  count: sql<{ n: number }>({
    name: `templates.${name}.count`,
    text: `select count(*) as n from templates where application_id = $1 and ${owned}`,
    reads: ['templates'],
  }),
  get: sql<TemplateRow>({
    name: `templates.${name}.get`,
    text: `select ${columns} from templates where application_id = $1 and ${owned} and id = $${next}`,
    reads: ['templates'],
  }),
  remove: sql({
    name: `templates.${name}.remove`,
    text: `delete from templates where application_id = $1 and ${owned} and id = $${next}`,
    writes: ['templates'],
  }),
})
const ofApplication = statementsOf('ofApplication', 'grant_id is null', 2)
const ofGrant = statementsOf('ofGrant', 'grant_id = $2', 3)

const on = ({ applicationId, grantId }: TemplateOwner) =>
  grantId === null ? { ...ofApplication, whose: [applicationId] } : { ...ofGrant, whose: [applicationId, grantId] }

const first: After = { createdAt: -1, id: '' }

export const insertTemplate = async (tx: Queries, row: TemplateRow): Promise<void> =>
  void (await tx.run(insert, [
    row.id,
    row.application_id,
    row.grant_id,
    row.name,
    row.subject,
    row.body,
    row.engine,
    row.created_at,
    row.updated_at,
  ]))
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
export const updateTemplate = (tx: Queries, row: TemplateRow): Promise<number> =>
  tx.run(update, [row.application_id, row.id, row.name, row.subject, row.body, row.engine, row.updated_at])
export const deleteTemplate = async (tx: Queries, owner: TemplateOwner, id: string): Promise<boolean> => {
  const { remove, whose } = on(owner)
  return (await tx.run(remove, [...whose, id])) === 1
}
