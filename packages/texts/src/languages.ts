/** The languages of pages in the order in which they are offered: the tag in BCP 47, and the name in the language itself. */
const names = [
  ['en', 'English'],
  ['de', 'Deutsch'],
  ['es', 'Español'],
  ['fr', 'Français'],
  ['it', 'Italiano'],
  ['nl', 'Nederlands'],
  ['pl', 'Polski'],
  ['pt', 'Português'],
  ['sv', 'Svenska'],
  ['ja', '日本語'],
  ['ko', '한국어'],
  ['zh-Hans', '简体中文'],
] as const

type Tag = (typeof names)[number][0]

export interface PageLanguage<Texts> {
  /** As in BCP 47. */
  tag: string
  /** Name of the language in itself. */
  name: string
  texts: Texts
}

/** The languages of a catalogue, English first. A catalogue may lack other languages. */
export function languagesOf<Texts>(
  catalogue: Readonly<{ en: Texts } & Partial<Record<Tag, Texts>>>,
): readonly PageLanguage<Texts>[] {
  return names.flatMap(([tag, name]) => {
    const texts = catalogue[tag]
    return texts ? [{ tag, name, texts }] : []
  })
}
