import type { AccountTexts } from './account-texts.ts'

export const accountEs: AccountTexts = {
  'owner.failed_title': 'No se pudo iniciar sesión',
  'owner.failed': 'No ha iniciado sesión y nada ha cambiado. Use la cuenta que está conectada a {application}.',
  'owner.again': 'Intentar de nuevo',
}
