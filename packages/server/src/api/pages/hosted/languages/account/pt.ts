import type { AccountTexts } from './account-texts.ts'

export const accountPt: AccountTexts = {
  'owner.failed_title': 'Não foi possível entrar',
  'owner.failed': 'Você não entrou e nada mudou. Use a conta conectada a {application}.',
  'owner.again': 'Tentar novamente',
}
