/**
 * A language that is read from the right, as no catalogue is yet: English between marks, so that a text that is not in the
 * catalogue shows, and a third longer, as translations are (the pseudo-locale ar-XB of other projects).
 */
import { en } from '../src/api/pages/hosted/languages/en.ts'
import type { Language, Texts } from '../src/api/pages/hosted/languages/language.ts'

const turned = (text: string): string => `\u202e⟦${text} ${'ـ'.repeat(Math.ceil(text.length / 3))}⟧\u202c`

export const rightToLeft: Language = {
  tag: 'ar-XB',
  name: 'Pseudo',
  direction: 'rtl',
  texts: Object.fromEntries(Object.entries(en).map(([key, text]) => [key, turned(text)])) as Texts,
}
