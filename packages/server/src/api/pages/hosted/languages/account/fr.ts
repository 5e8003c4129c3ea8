import type { AccountTexts } from './account-texts.ts'

export const accountFr: AccountTexts = {
  'owner.failed_title': 'La connexion n’a pas abouti',
  'owner.failed': 'Vous n’êtes pas connecté et rien n’a changé. Utilisez le compte relié à {application}.',
  'owner.again': 'Réessayer',
}
