/** The last part of a page's address. */
const max = 60

/** Proposes a slug for a name: `Intro call with Åsa!` becomes `intro-call-with-asa`. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, max)
    .replace(/-+$/, '')

/** Characters that the API accepts, for the `pattern` of a field. */
export const slugPattern = '[A-Za-z0-9._\\-]+'
