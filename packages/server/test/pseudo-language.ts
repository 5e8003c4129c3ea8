/**
 * A right-to-left pseudo-language (like the pseudo-locale ar-XB of other projects), since no catalogue has one yet:
 * English between marks, so that a text outside the catalogue is visible, and a third longer, like translations.
 */
import type { HostedPageTexts } from '@waypost/texts/hosted-pages'
import { english, type Language } from '../src/api/pages/hosted/languages.ts'

const turned = (text: string): string => `\u202e⟦${text} ${'ـ'.repeat(Math.ceil(text.length / 3))}⟧\u202c`

export const rightToLeft: Language = {
  tag: 'ar-XB',
  name: 'Pseudo',
  direction: 'rtl',
  texts: Object.fromEntries(Object.entries(english.texts).map(([key, text]) => [key, turned(text)])) as HostedPageTexts,
}
