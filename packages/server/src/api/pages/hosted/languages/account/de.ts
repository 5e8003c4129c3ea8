import type { AccountTexts } from './account-texts.ts'

export const accountDe: AccountTexts = {
  'owner.failed_title': 'Die Anmeldung ist nicht gelungen',
  'owner.failed':
    'Sie sind nicht angemeldet, und nichts wurde geändert. Melden Sie sich mit dem Konto an, das mit {application} verbunden ist.',
  'owner.again': 'Noch einmal versuchen',
}
