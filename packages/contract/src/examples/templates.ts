import type { grantTemplates, Template, templates } from '../templates.ts'
import type { ExamplesOf } from './example.ts'
import { applicationId, grantId } from './shared.ts'

export const welcome: Template = {
  id: '3ac9e60f-b1d4-4875-92e3-f50a7c8d1b26',
  app_id: applicationId,
  grant_id: null,
  object: 'template',
  name: 'Welcome',
  subject: 'Welcome, {{name}}',
  body: '<p>Dear {{name}}, good to have you.</p>',
  engine: 'mustache',
  created_at: 1_736_425_500,
  updated_at: 1_736_425_500,
}
const rendered = { subject: 'Welcome, Jonas', body: '<p>Dear Jonas, good to have you.</p>' }
const variables = { name: 'Jonas' }

/** The same for templates of the application and for those of a grant. */
const examplesOf = (template: Template): ExamplesOf<typeof templates> => {
  const params = { template_id: template.id }
  return {
    list: { answer: [template] },
    create: { body: { name: template.name, subject: template.subject, body: template.body }, answer: template },
    renderBody: {
      body: { body: template.body, engine: template.engine, variables },
      answer: { body: rendered.body },
    },
    get: { params, answer: template },
    update: {
      params,
      body: { subject: 'Good to have you, {{name}}' },
      answer: { ...template, subject: 'Good to have you, {{name}}', updated_at: 1_739_175_300 },
    },
    delete: { params },
    render: { params, body: { variables }, answer: rendered },
  }
}

export const templateExamples = examplesOf(welcome)
export const grantWelcome: Template = {
  ...welcome,
  id: '94e7b02d-5f16-4ac3-8d90-6b21f4e8a57c',
  grant_id: grantId,
}
export const grantTemplateExamples: ExamplesOf<typeof grantTemplates> = examplesOf(grantWelcome)
