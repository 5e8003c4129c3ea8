import type { AccountTexts } from './account-texts.ts'

export const accountNl: AccountTexts = {
  'owner.failed_title': 'Aanmelden is niet gelukt',
  'owner.failed':
    'U bent niet aangemeld en er is niets veranderd. Gebruik het account dat aan {application} is gekoppeld.',
  'owner.again': 'Opnieuw proberen',
}
