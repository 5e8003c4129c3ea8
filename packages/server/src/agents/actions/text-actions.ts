/** The texts that templates, workflows and signatures will have after a change, for the person who approves it. */
import type { Signature, Template, Workflow, WorkflowDraft } from '@waypost/contract'
import { getTemplate } from '@waypost/store/tables/mail/templates'
import type { Effects } from '../effects/effects.ts'
import { readableOf } from '../effects/readable-text.ts'
import { type MailedText, mailedTextEffects } from '../effects/text-effects.ts'
import type { Action } from './action.ts'

/** The object as it is, with the fields of the request in place of its own. */
async function changedBy<T extends object>(action: Action, resource: MailedText): Promise<{ before?: T; after: T }> {
  const { context, read } = action
  const given = Object.entries(context.body as object).filter(([, value]) => value !== undefined)
  if (context.served.named.operation === 'create') return { after: Object.fromEntries(given) as T }
  const before = await read<T>(`${resource}.get`)
  return { before, after: { ...before, ...Object.fromEntries(given) } }
}

async function templateEffects(action: Action, resource: MailedText): Promise<Effects> {
  const { before, after } = await changedBy<Template>(action, resource)
  const { name, subject, body } = after
  const { text } = await readableOf(action.reading, body)
  return mailedTextEffects({ resource, isNew: !before, name, subject, text, basis: before })
}

async function workflowEffects(action: Action, resource: MailedText): Promise<Effects> {
  const { tools, context } = action
  const { before, after } = await changedBy<Workflow | WorkflowDraft>(action, resource)
  const owner = { applicationId: context.application?.id ?? '', grantId: context.grant?.grant.id ?? null }
  const template = await getTemplate(tools.database, owner, after.template_id)
  const { subject = '', body = '' } = template ?? {}
  const { text } = await readableOf(action.reading, body)
  return mailedTextEffects({
    resource,
    isNew: !before,
    name: after.name,
    subject,
    text,
    trigger: `${after.trigger_event}, ${after.delay} minutes later`,
    senderName: after.from?.name,
    isEnabled: after.is_enabled,
    basis: { before, subject, body },
  })
}

async function signatureEffects(action: Action, resource: MailedText): Promise<Effects> {
  const { before, after } = await changedBy<Signature>(action, resource)
  const { text } = await readableOf(action.reading, after.body)
  return mailedTextEffects({ resource, isNew: !before, name: after.name, subject: '', text, basis: before })
}

const effects: Record<MailedText, (action: Action, resource: MailedText) => Promise<Effects>> = {
  templates: templateEffects,
  grantTemplates: templateEffects,
  workflows: workflowEffects,
  grantWorkflows: workflowEffects,
  signatures: signatureEffects,
}

const isMailedText = (resource: string): resource is MailedText => Object.hasOwn(effects, resource)

export function textEffects(action: Action): Promise<Effects> {
  const { resource } = action.context.served.named
  if (!isMailedText(resource)) throw new Error(`${resource} has no text that is mailed`)
  return effects[resource](action, resource)
}
