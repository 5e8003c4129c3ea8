/** The texts that templates, workflows and signatures will have after a change, for the person who approves it. */
import type { Signature, Template, Workflow, WorkflowDraft } from '@waypost/contract'
import { getTemplate } from '@waypost/store/tables/mail/templates'
import { detail, type Effects, none, previewOf } from '../effects/effects.ts'
import { readableOf } from '../effects/readable-text.ts'
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

/** The resources with such texts, in the words of a person. */
const mailedTexts = {
  templates: 'template',
  grantTemplates: 'template of an account',
  workflows: 'workflow',
  grantWorkflows: 'workflow of an account',
  signatures: 'signature',
} as const
type MailedText = keyof typeof mailedTexts

interface WrittenText {
  resource: MailedText
  isNew: boolean
  /** What recipients get after the change. */
  subject: string
  text: string
  name: string
  /** Of a workflow. */
  trigger?: string | undefined
  senderName?: string | undefined
  isEnabled?: boolean | undefined
  /** The object before the change, and what else the text depends on. */
  basis: unknown
}

/**
 * The effects of texts that the service mails later, to people whom nobody knows yet. Writing such a text counts as
 * sending it, because nobody is asked again.
 */
const mailedTextEffects = (written: WrittenText): Effects => ({
  ...none,
  kinds: ['send'],
  hasUnknownRecipients: true,
  basis: written.basis,
  preview: previewOf({
    subject: written.subject,
    text: written.text,
    details: [
      ...detail('Action', `${written.isNew ? 'Create' : 'Change'} a ${mailedTexts[written.resource]}`),
      ...detail('Name', written.name),
      ...detail('Mailed after', written.trigger),
      ...detail('Sender name', written.senderName),
      ...detail('Enabled', written.isEnabled === undefined ? '' : written.isEnabled ? 'yes' : 'no'),
      ...detail('Recipients', 'Everybody who gets mail with this text later. Nobody is asked again'),
    ],
  }),
})
