import type { AccountTexts } from './account-texts.ts'

export const accountPl: AccountTexts = {
  'owner.failed_title': 'Logowanie nie powiodło się',
  'owner.failed': 'Nie zalogowano i nic się nie zmieniło. Użyj konta połączonego z: {application}.',
  'owner.again': 'Spróbuj ponownie',
}
