import { limits, type Template } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { newId } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import { lockApplication } from '@waypost/store/tables/applications/applications'
import {
  countTemplates,
  deleteTemplate,
  getTemplate,
  insertTemplate,
  listTemplates,
  type TemplateOwner,
  type TemplateRow,
  updateTemplate,
} from '@waypost/store/tables/mail/templates'
import { parseTemplate, renderTemplate } from '../../sending/compose/template.ts'
import { renderSubject } from '../../sending/requests/outgoing.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import { listCreated } from './lists/keyset-page.ts'

const templateOf = (row: TemplateRow): Template => ({
  id: row.id,
  app_id: row.application_id,
  grant_id: row.grant_id,
  object: 'template',
  name: row.name,
  subject: row.subject,
  body: row.body,
  engine: row.engine,
  created_at: seconds(row.created_at),
  updated_at: seconds(row.updated_at),
})

/** A template that cannot be rendered is refused. */
function checkTemplate({ subject, body, engine }: Pick<TemplateRow, 'subject' | 'body' | 'engine'>): void {
  parseTemplate(subject, engine, 'subject')
  parseTemplate(body, engine, 'body')
}

async function needTemplate(queries: Queries, owner: TemplateOwner, id: string): Promise<TemplateRow> {
  const row = await getTemplate(queries, owner, id)
  if (!row) throw new ApiError('not_found')
  return row
}

interface Whose {
  application: { id: string }
  grant?: { grant: { id: string } }
}

const ownerOf = ({ application, grant }: Whose): TemplateOwner => ({
  applicationId: application.id,
  grantId: grant?.grant.id ?? null,
})

export const templates = ({ storage: { database, clock } }: Pick<Services, 'storage'>): Handlers['templates'] => ({
  list: (context) => listCreated(context, (page) => listTemplates(database, ownerOf(context), page), templateOf),
  create: (context) => {
    const { body, write } = context
    const owner = ownerOf(context)
    checkTemplate(body)
    return write(async (tx) => {
      // Locks the application, so that the count stays correct.
      await lockApplication(tx, owner.applicationId)
      if ((await countTemplates(tx, owner)) >= limits.templates) {
        throw invalidField('templates', `there are ${limits.templates} templates, which is the limit`)
      }
      const now = clock.now()
      const row = {
        ...body,
        id: newId(),
        application_id: owner.applicationId,
        grant_id: owner.grantId,
        created_at: now,
        updated_at: now,
      }
      await insertTemplate(tx, row)
      return templateOf(row)
    })
  },
  renderBody: ({ body }) => {
    const { variables, strict } = body
    return { body: renderTemplate(parseTemplate(body.body, body.engine, 'body'), { variables, strict, html: true }) }
  },
  get: async (context) => templateOf(await needTemplate(database, ownerOf(context), context.params.template_id)),
  update: (context) => {
    const { body, params, write } = context
    const owner = ownerOf(context)
    return write(async (tx) => {
      await lockApplication(tx, owner.applicationId)
      const row = await needTemplate(tx, owner, params.template_id)
      const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
      const changed = { ...row, ...given, updated_at: clock.now() }
      checkTemplate(changed)
      await updateTemplate(tx, changed)
      return templateOf(changed)
    })
  },
  delete: (context) =>
    context.write(async (tx) => {
      if (!(await deleteTemplate(tx, ownerOf(context), context.params.template_id))) throw new ApiError('not_found')
    }),
  render: async (context) => {
    const { variables, strict } = context.body
    const { subject, body, engine } = await needTemplate(database, ownerOf(context), context.params.template_id)
    return {
      subject: renderSubject(subject, { engine, variables, strict }),
      body: renderTemplate(parseTemplate(body, engine, 'body'), { variables, strict, html: true }),
    }
  },
})

/** The same for the templates of one grant. */
export const grantTemplates = (services: Pick<Services, 'storage'>): Handlers['grantTemplates'] => templates(services)
