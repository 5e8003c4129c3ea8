import { z } from 'zod'
import { CreatedAt, cursorPaging, Id, line, selectParam, UpdatedAt } from './fields.ts'
import { limits } from './limits.ts'
import { headerText } from './outgoing.ts'
import { route } from './route.ts'
import { htmlText } from './signatures.ts'

/** The names of the API; only the first two are run here. */
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
      description: 'Id of the grant that it belongs to; null for a template of the application',
    }),
    object: z.literal('template').meta({ description: 'What the object is: always `template`' }),
    name: z.string().meta({ description: 'Name for those who choose it; recipients do not see it' }),
    subject: z.string().meta({ description: 'Subject with its variables, not rendered' }),
    body: z.string().meta({ description: 'HTML with its variables, not rendered' }),
    engine: TemplateEngine.meta({ description: 'Language that subject and body are written in' }),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  })
  .meta({ id: 'Template', description: 'Subject and body of messages, with places for variables' })
export type Template = z.output<typeof Template>

const fields = {
  name: line(256).min(1).meta({ description: 'Name for those who choose it, up to 256 characters' }),
  subject: headerText(limits.subjectLength).meta({
    description: `Subject on one line, up to ${limits.subjectLength} characters; \`{{name}}\` stands for a variable, which is not escaped here`,
  }),
  body: htmlText(limits.templateBytes).meta({
    description:
      'HTML of up to 1 MB. `{{name}}` stands for a variable, escaped; `{{{name}}}` for one as it is; `{{#name}}…{{/name}}` for what is shown once, or for each item of a list, where there is a value, and `{{^name}}…{{/name}}` where there is none.',
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
  .meta({ id: 'TemplateDraft', description: 'A template to be kept' })
export type TemplateDraft = z.output<typeof TemplateDraft>
export const TemplateChange = z
  .object({ ...fields, engine })
  .partial()
  .meta({ id: 'TemplateChange', description: 'What is to change of a template. What is left out stays.' })
export type TemplateChange = z.output<typeof TemplateChange>

const rendering = {
  variables: z.record(z.string(), z.unknown()).meta({
    description: 'Values by the name of the variable: texts, numbers, lists, and objects whose fields are named `a.b`',
  }),
  strict: z.boolean().default(true).meta({
    description: 'Whether a variable that the template names and `variables` lacks is an error; otherwise it is empty',
  }),
}
export const TemplateRender = z
  .object(rendering)
  .meta({ id: 'TemplateRender', description: 'What a template is to be rendered with' })
export type TemplateRender = z.output<typeof TemplateRender>
export const BodyRender = z
  .object({ body: fields.body, engine, ...rendering })
  .meta({ id: 'BodyRender', description: 'A text that is to be rendered as the body of a template would be' })
export type BodyRender = z.output<typeof BodyRender>

const renderedBody = z.string().meta({ description: 'HTML with the values in the places of its variables' })
export const RenderedTemplate = z
  .object({ subject: z.string().meta({ description: 'Subject with its values' }), body: renderedBody })
  .meta({ id: 'RenderedTemplate', description: 'What a message by this template would say' })
export const RenderedBody = z
  .object({ body: renderedBody })
  .meta({ id: 'RenderedBody', description: 'What a text comes to with its values' })

/** The same operations twice: for templates of the application, and for those of one grant. */
function templateRoutes<const Path extends string, const Whose extends { audience: 'application' | 'grant' }>(
  at: Path,
  whose: Whose,
  owner: string,
) {
  const one = `${at}/:template_id` as const
  return {
    list: route({
      ...whose,
      method: 'GET',
      path: at,
      summary: 'List templates',
      description: `The oldest first: those of ${owner} alone.`,
      query: z.object({ ...cursorPaging(), ...selectParam }),
      returns: Template,
      list: 'cursor',
    }),
    create: route({
      ...whose,
      method: 'POST',
      path: at,
      summary: 'Create a template',
      description: `Up to ${limits.templates} for ${owner}. One that could not be rendered is refused, with the line that is wrong.`,
      body: TemplateDraft,
      returns: Template,
    }),
    // Before the template named "render", which it would be otherwise.
    renderBody: route({
      ...whose,
      method: 'POST',
      path: `${at}/render`,
      summary: 'Render a text that is not kept as a template',
      description:
        'To show what a template would come to while somebody writes it. Nothing is kept and nothing is sent.',
      body: BodyRender,
      returns: RenderedBody,
    }),
    get: route({
      ...whose,
      method: 'GET',
      path: one,
      summary: 'Get one template',
      description: 'With its variables as they were written, not rendered.',
      query: z.object(selectParam),
      returns: Template,
      errors: ['not_found'],
    }),
    update: route({
      ...whose,
      method: 'PUT',
      path: one,
      summary: 'Change a template',
      description:
        'Fields that are left out stay. Messages that wait for their time were rendered before and stay as they are.',
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
      description: 'Messages that were made by it stay as they are.',
      errors: ['not_found'],
    }),
    render: route({
      ...whose,
      method: 'POST',
      path: `${one}/render`,
      summary: 'Render a template',
      description: 'As a message would have it. Nothing is sent.',
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
