import type { AccountTexts } from './account-texts.ts'

export const accountIt: AccountTexts = {
  'owner.failed_title': 'L’accesso non è riuscito',
  'owner.failed': 'L’accesso non è avvenuto e nulla è cambiato. Usi l’account collegato a {application}.',
  'owner.again': 'Riprova',
}
