import type { grantWorkflows, Workflow, workflows } from '../scheduling/workflows.ts'
import type { ExamplesOf } from './example.ts'
import { applicationId, grantId } from './shared.ts'
import { grantWelcome, welcome } from './templates.ts'

const thanks: Workflow = {
  id: 'c81e4f27-06a9-4d53-b7f2-1e90a5c36d48',
  app_id: applicationId,
  grant_id: null,
  name: 'Thanks for booking',
  template_id: welcome.id,
  trigger_event: 'booking.created',
  delay: 5,
  is_enabled: true,
  from: { name: 'Example team' },
  date_created: 1_736_425_800,
}

/** The same for workflows of the application and for those of a grant. */
const examplesOf = (workflow: Workflow): ExamplesOf<typeof workflows> => {
  const { name, template_id, trigger_event, delay, from } = workflow
  const params = { workflow_id: workflow.id }
  return {
    list: { answer: [workflow] },
    create: { body: { name, template_id, trigger_event, delay, from }, answer: workflow },
    get: { params, answer: workflow },
    update: { params, body: { delay: 0 }, answer: { ...workflow, delay: 0 } },
    delete: { params },
  }
}

export const workflowExamples = examplesOf(thanks)
export const grantWorkflowExamples: ExamplesOf<typeof grantWorkflows> = examplesOf({
  ...thanks,
  id: '5d27b9e0-8c41-4f36-a2d8-70e6f1b3c594',
  grant_id: grantId,
  template_id: grantWelcome.id,
})
