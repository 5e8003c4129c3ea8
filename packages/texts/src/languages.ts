/** The languages of pages by their tags in BCP 47, in the order in which they are offered. Each has its own name. */
const names = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  pt: 'Português',
  sv: 'Svenska',
  ja: '日本語',
  ko: '한국어',
  'zh-Hans': '简体中文',
} as const

type Tag = keyof typeof names

export interface TextsOfLanguage<Texts> {
  /** As in BCP 47. */
  tag: string
  /** Name of the language in itself. */
  name: string
  texts: Texts
}

/** The languages of a catalogue, English first. A catalogue may lack other languages. */
export function languagesOf<Texts>(
  catalogue: Readonly<{ en: Texts } & Partial<Record<Tag, Texts>>>,
): readonly TextsOfLanguage<Texts>[] {
  return (Object.keys(names) as Tag[]).flatMap((tag) => {
    const texts = catalogue[tag]
    return texts ? [{ tag, name: names[tag], texts }] : []
  })
}
