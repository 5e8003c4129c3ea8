/**
 * The effects of texts that the service mails later, to people whom nobody knows yet: templates, workflows and signatures.
 * Writing such a text counts as sending it, because nobody is asked again. Pure.
 */
import { detail, type Effects, none, visible } from './effects.ts'

/** The resources with such texts, in the words of a person. */
export const mailedTexts = {
  templates: 'template',
  grantTemplates: 'template of an account',
  workflows: 'workflow',
  grantWorkflows: 'workflow of an account',
  signatures: 'signature',
} as const
export type MailedText = keyof typeof mailedTexts

export interface WrittenText {
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

export const mailedTextEffects = (written: WrittenText): Effects => ({
  ...none,
  kinds: ['send'],
  hasUnknownRecipients: true,
  basis: written.basis,
  preview: {
    recipients: [],
    subject: visible(written.subject),
    text: visible(written.text),
    attachments: [],
    details: [
      ...detail('Action', `${written.isNew ? 'Create' : 'Change'} a ${mailedTexts[written.resource]}`),
      ...detail('Name', written.name),
      ...detail('Mailed after', written.trigger),
      ...detail('Sender name', written.senderName),
      ...detail('Enabled', written.isEnabled === undefined ? '' : written.isEnabled ? 'yes' : 'no'),
      ...detail('Recipients', 'Everybody who gets mail with this text later. Nobody is asked again'),
    ],
  },
})
