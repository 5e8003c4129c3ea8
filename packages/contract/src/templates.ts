import { z } from 'zod'
import { cursorPaging, Id, line, selectParam, Timestamp } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'
import { headerText } from './sending.ts'
import { htmlText } from './signatures.ts'

/** The names of the API; only the first two are run here. */
export const TemplateEngine = z.enum(['mustache', 'handlebars', 'nunjucks', 'twig']).meta({
  id: 'TemplateEngine',
  description:
    '`mustache`, and `handlebars` without helpers. `nunjucks` and `twig` are refused: their templates can run code',
})
export type TemplateEngine = z.output<typeof TemplateEngine>

export const Template = z
  .object({
    id: Id,
    app_id: Id.nullable(),
    grant_id: Id.nullable().meta({ description: 'null for a template of the application' }),
    object: z.literal('template'),
    name: z.string(),
    subject: z.string(),
    body: z.string(),
    engine: TemplateEngine,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Template' })
export type Template = z.output<typeof Template>

const fields = {
  name: line(256).min(1),
  subject: headerText(limits.subjectLength),
  body: htmlText(limits.templateBytes),
}

export const TemplateDraft = z
  .object({ ...fields, engine: TemplateEngine.default('mustache') })
  .meta({ id: 'TemplateDraft' })
export type TemplateDraft = z.output<typeof TemplateDraft>
export const TemplateChange = z
  .object({ ...fields, engine: TemplateEngine })
  .partial()
  .meta({ id: 'TemplateChange' })
export type TemplateChange = z.output<typeof TemplateChange>

const rendering = {
  variables: z.record(z.string(), z.unknown()),
  strict: z.boolean().default(true).meta({ description: 'A variable that is missing is an error' }),
}
export const TemplateRender = z.object(rendering).meta({ id: 'TemplateRender' })
export type TemplateRender = z.output<typeof TemplateRender>
export const BodyRender = z
  .object({ body: fields.body, engine: TemplateEngine, ...rendering })
  .meta({ id: 'BodyRender' })
export type BodyRender = z.output<typeof BodyRender>

export const RenderedTemplate = z.object({ subject: z.string(), body: z.string() }).meta({ id: 'RenderedTemplate' })
export const RenderedBody = z.object({ body: z.string() }).meta({ id: 'RenderedBody' })

/** The same operations twice: for templates of the application, and for those of one grant. */
function templateRoutes<const Path extends string, const Whose extends { audience: 'application' | 'grant' }>(
  at: Path,
  whose: Whose,
) {
  const one = `${at}/:template_id` as const
  return {
    list: route({
      ...whose,
      method: 'GET',
      path: at,
      summary: 'List templates',
      query: z.object({ ...cursorPaging(), ...selectParam }),
      returns: Template,
      list: 'cursor',
    }),
    create: route({
      ...whose,
      method: 'POST',
      path: at,
      summary: 'Create a template',
      body: TemplateDraft,
      returns: Template,
    }),
    // Before the template named "render", which it would be otherwise.
    renderBody: route({
      ...whose,
      method: 'POST',
      path: `${at}/render`,
      summary: 'Render a text that is not kept as a template',
      body: BodyRender,
      returns: RenderedBody,
    }),
    get: route({
      ...whose,
      method: 'GET',
      path: one,
      summary: 'Get one template',
      query: z.object(selectParam),
      returns: Template,
      errors: ['not_found'],
    }),
    update: route({
      ...whose,
      method: 'PUT',
      path: one,
      summary: 'Change a template',
      query: z.object(selectParam),
      body: TemplateChange,
      returns: Template,
      errors: ['not_found'],
    }),
    delete: route({
      ...whose,
      method: 'DELETE',
      path: one,
      summary: 'Delete a template',
      errors: ['not_found'],
    }),
    render: route({
      ...whose,
      method: 'POST',
      path: `${one}/render`,
      summary: 'Render a template',
      body: TemplateRender,
      returns: RenderedTemplate,
      errors: ['not_found'],
    }),
  }
}

export const templates = templateRoutes('/v3/templates', { audience: 'application' })
export const grantTemplates = templateRoutes('/v3/grants/:grant_id/templates', { audience: 'grant', own: true })
