/** The placeholders of the hosted pages as a type: the type of a JSON file knows the keys, and not the texts. */
import en from '../packages/texts/hosted-pages/en.json' with { type: 'json' }

/** Sorted and without repetitions. */
export const placeholdersIn = (text: string): string[] =>
  [...new Set(Array.from(text.matchAll(/\{(\w+)\}/g), ([, name = '']) => name))].toSorted()

export function placeholdersFile(): string {
  const lines = Object.entries(en).flatMap(([key, text]) => {
    const names = placeholdersIn(text).map((name) => `'${name}'`)
    const property = /^\w+$/.test(key) ? key : `'${key}'`
    return names.length === 0 ? [] : [`  ${property}: ${names.join(' | ')}\n`]
  })
  return `/** The placeholders of the texts that have some. Made from hosted-pages/en.json by \`npm run generate\`; do not edit. */
export interface HostedPlaceholders {
${lines.join('')}}
`
}
