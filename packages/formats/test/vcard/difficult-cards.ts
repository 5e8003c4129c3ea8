/** All difficult vCards. */
import type { DifficultCard } from './cards.ts'
import { appleCards } from './difficult-cards-apple.ts'
import { brokenCards } from './difficult-cards-broken.ts'
import { fourCards } from './difficult-cards-four.ts'
import { oldCards } from './difficult-cards-old.ts'
import { programCards } from './difficult-cards-programs.ts'

export const difficultCards: readonly (DifficultCard & { from: string })[] = [
  ...appleCards.map((card) => ({ ...card, from: 'Apple' })),
  ...oldCards.map((card) => ({ ...card, from: 'version 2.1' })),
  ...programCards.map((card) => ({ ...card, from: 'version 3' })),
  ...fourCards.map((card) => ({ ...card, from: 'version 4' })),
  ...brokenCards.map((card) => ({ ...card, from: 'broken' })),
]
