import type { TemplateEngine } from '@waypost/contract'
import type { Queries } from '../../engine/database.ts'
import { named, nullable, number, type RowOf, table, text, word } from '../../engine/table.ts'
import { type Owner, ownedRows } from './owned-rows.ts'

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
export type TemplateOwner = Owner

const { columns, set } = templates
const insert = templates.insert()
const update = named<TemplateRow>('templates.update')`update templates
   set ${set('name', 'subject', 'body', 'engine', 'updated_at')} where application_id = :application_id and id = :id`

const owned = ownedRows<TemplateRow>('templates', columns)

export const insertTemplate = async (tx: Queries, row: TemplateRow): Promise<void> =>
  void (await tx.run(...insert(row)))
export const listTemplates = owned.list
export const countTemplates = owned.count
export const getTemplate = owned.get
export const updateTemplate = (tx: Queries, row: TemplateRow): Promise<number> => tx.run(...update(row))
export const deleteTemplate = owned.remove
