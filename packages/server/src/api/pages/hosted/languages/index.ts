/** The languages of the hosted pages, in the order in which they are offered. */
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import type { Language, Texts } from './language.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { zhHans } from './zh-hans.ts'

const leftToRight = (tag: string, name: string, texts: Texts): Language => ({ tag, name, direction: 'ltr', texts })

export const english = leftToRight('en', 'English', en)

export const languages: readonly Language[] = [
  english,
  leftToRight('de', 'Deutsch', de),
  leftToRight('es', 'Español', es),
  leftToRight('fr', 'Français', fr),
  leftToRight('it', 'Italiano', it),
  leftToRight('nl', 'Nederlands', nl),
  leftToRight('pl', 'Polski', pl),
  leftToRight('pt', 'Português', pt),
  leftToRight('ja', '日本語', ja),
  leftToRight('zh-Hans', '简体中文', zhHans),
]
