import { z } from 'zod'
import { CreatedAt, cursorPaging, Id, line, selectParam, UpdatedAt } from './fields.ts'
import { limits } from './limits.ts'
import { headerText } from './outgoing.ts'
import { route } from './route.ts'
import { htmlText } from './signatures.ts'

/** All engine names of the API; this service runs only the first two. */
export const TemplateEngine = z.enum(['mustache', 'handlebars', 'nunjucks', 'twig']).meta({
  id: 'TemplateEngine',
  description:
    'Language of a template: `mustache`, or `handlebars` without helpers. `nunjucks` and `twig` are refused, because their templates can run code.',
})
export type TemplateEngine = z.output<typeof TemplateEngine>

export const Template = z
  .object({
    id: Id.meta({ description: 'Id of the template: `template.id` of messages and drafts' }),
    app_id: Id.nullable().meta({ description: 'Id of the application' }),
    grant_id: Id.nullable().meta({
      description: 'Id of its grant; null for a template of the application',
    }),
    object: z.literal('template').meta({ description: 'Object type: always `template`' }),
    name: z.string().meta({ description: 'Name for your own use; recipients do not see it' }),
    subject: z.string().meta({ description: 'Subject with variables, not rendered' }),
    body: z.string().meta({ description: 'HTML with variables, not rendered' }),
    engine: TemplateEngine.meta({ description: 'Language of subject and body' }),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  })
  .meta({ id: 'Template', description: 'Subject and body of messages, with variables' })
export type Template = z.output<typeof Template>

const fields = {
  name: line(256).min(1).meta({ description: 'Name for your own use, up to 256 characters' }),
  subject: headerText(limits.subjectLength).meta({
    description: `Subject on one line, up to ${limits.subjectLength} characters; \`{{name}}\` is a variable, not escaped`,
  }),
  body: htmlText(limits.templateBytes).meta({
    description:
      'HTML of up to 1 MB. `{{name}}` is an escaped variable, `{{{name}}}` an unescaped one. `{{#name}}…{{/name}}` is rendered if there is a value, once or for each list item; `{{^name}}…{{/name}}` is rendered if there is none.',
  }),
}
const engine = TemplateEngine.meta({
  description: '`mustache`, or `handlebars` without helpers; `nunjucks` and `twig` are refused',
})

export const TemplateDraft = z
  .object({
    ...fields,
    engine: TemplateEngine.default('mustache').meta({
      description: '`mustache` (default), or `handlebars` without helpers; `nunjucks` and `twig` are refused',
    }),
  })
  .meta({ id: 'TemplateDraft', description: 'A new template' })
export type TemplateDraft = z.output<typeof TemplateDraft>
export const TemplateChange = TemplateDraft.extend({ engine })
  .partial()
  .meta({ id: 'TemplateChange', description: 'Changes to a template. Absent fields stay unchanged.' })
export type TemplateChange = z.output<typeof TemplateChange>

const rendering = {
  variables: z.record(z.string(), z.unknown()).meta({
    description: 'Values by variable name: strings, numbers, lists, and objects whose fields are addressed as `a.b`',
  }),
  strict: z.boolean().default(true).meta({
    description: 'Whether a variable missing in `variables` is an error; otherwise it is empty',
  }),
}
export const TemplateRender = z
  .object(rendering)
  .meta({ id: 'TemplateRender', description: 'Values for rendering a template' })
export type TemplateRender = z.output<typeof TemplateRender>
export const BodyRender = z
  .object({ body: fields.body, engine, ...rendering })
  .meta({ id: 'BodyRender', description: 'A text to render like the body of a template' })
export type BodyRender = z.output<typeof BodyRender>

const renderedBody = z.string().meta({ description: 'HTML with the values filled in' })
export const RenderedTemplate = z
  .object({ subject: z.string().meta({ description: 'Subject with the values filled in' }), body: renderedBody })
  .meta({ id: 'RenderedTemplate', description: 'A rendered template' })
export const RenderedBody = z
  .object({ body: renderedBody })
  .meta({ id: 'RenderedBody', description: 'A rendered text' })

/** The same operations for templates of the application and for those of one grant. */
function templateRoutes<const Path extends string, const Whose extends { audience: 'application' | 'grant' }>(
  at: Path,
  whose: Whose,
  owner: string,
) {
  const one = `${at}/:template_id` as const
  return {
    list: route({
      right: 'administration',
      ...whose,
      method: 'GET',
      path: at,
      summary: 'List templates',
      description: `Oldest first, only those of ${owner}.`,
      query: z.object({ ...cursorPaging(), ...selectParam }),
      returns: Template,
      list: 'cursor',
    }),
    create: route({
      right: 'administration',
      ...whose,
      method: 'POST',
      path: at,
      summary: 'Create a template',
      description: `Up to ${limits.templates} for ${owner}. A template that cannot be rendered is refused, and the error names the line.`,
      body: TemplateDraft,
      returns: Template,
    }),
    // Before the template id, which would otherwise match "render".
    renderBody: route({
      right: 'administration',
      ...whose,
      method: 'POST',
      path: `${at}/render`,
      summary: 'Render a text without storing it',
      description: 'For previews while writing a template. Nothing is stored or sent.',
      body: BodyRender,
      returns: RenderedBody,
    }),
    get: route({
      right: 'administration',
      ...whose,
      method: 'GET',
      path: one,
      summary: 'Get one template',
      description: 'Returns it with variables, not rendered.',
      query: z.object(selectParam),
      returns: Template,
      errors: ['not_found'],
    }),
    update: route({
      right: 'administration',
      ...whose,
      method: 'PUT',
      path: one,
      summary: 'Change a template',
      description: 'Absent fields stay unchanged. Scheduled messages were already rendered and do not change.',
      query: z.object(selectParam),
      body: TemplateChange,
      returns: Template,
      errors: ['not_found'],
    }),
    delete: route({
      right: 'administration',
      ...whose,
      method: 'DELETE',
      path: one,
      summary: 'Delete a template',
      description: 'Messages created with it do not change.',
      errors: ['not_found'],
    }),
    render: route({
      right: 'administration',
      ...whose,
      method: 'POST',
      path: `${one}/render`,
      summary: 'Render a template',
      description: 'Renders it as in a message. Nothing is sent.',
      body: TemplateRender,
      returns: RenderedTemplate,
      errors: ['not_found'],
    }),
  }
}

export const templates = templateRoutes('/v3/templates', { audience: 'application' }, 'the application')
export const grantTemplates = templateRoutes(
  '/v3/grants/:grant_id/templates',
  { audience: 'grant', own: true },
  'the grant',
)
