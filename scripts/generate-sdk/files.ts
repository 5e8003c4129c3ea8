/** The files of packages/sdk/src/generated. */
import type { Contract } from '../../packages/contract/src/index.ts'
import { operationsFile } from './operations-file.ts'
import { schemaForms } from './schema-forms.ts'
import { catalogueFile, routesFile, serviceFactsFile } from './tables-file.ts'
import { typesFile } from './types-file.ts'

const note = '/* Made from the contract by `npm run generate`; do not edit. */\n\n'

/** An import of the names in `from` that a text uses, one per line. */
function importOf(names: readonly string[], from: string, text: string): string {
  const words = new Set(text.replace(/\/\*[\s\S]*?\*\//g, '').match(/\b[A-Z]\w+\b/g))
  const used = names.filter((name) => words.has(name)).sort()
  return used.length === 0 ? '' : `import type {\n${used.map((name) => `  ${name},\n`).join('')}} from '${from}'\n`
}

const exportedTypes = (text: string): string[] =>
  Array.from(text.matchAll(/^export (?:type|interface) (\w+)/gm), ([, name]) => name ?? '')

/** File texts, keyed by file name. */
export function sdkFiles(contract: Contract): Record<string, string> {
  const forms = schemaForms(contract)
  const types = typesFile(forms)
  const operations = operationsFile(contract, forms)
  const imports = [
    importOf(['CallOptions', 'WriteOptions'], '../call-options.ts', operations),
    importOf(['LiveItem'], '../live.ts', operations),
    importOf(['OutgoingFile'], '../form.ts', operations),
    importOf(['DataResult', 'EmptyResult', 'FileResult', 'ListResult'], '../results.ts', operations),
    importOf(exportedTypes(types), './types.ts', operations),
  ]
  return {
    'types.ts': `${note}${types}`,
    'operations.ts': `${note}${imports.join('')}\n${operations}`,
    'routes.ts': `${note}import type { RouteFacts } from '../route-facts.ts'\n\n${routesFile(contract)}`,
    'service-facts.ts': `${note}${serviceFactsFile()}`,
    'catalogue.ts': `${note}${catalogueFile()}`,
  }
}
