/**
 * Prints the statements of a release as JSON: `node list-statements.ts <root of the release>`. Each module of its store is
 * loaded with a `database.ts` that records them. Texts that are composed at run time are not included.
 */
import { existsSync, readdirSync } from 'node:fs'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const [, , root = ''] = process.argv
// Since 1.3.2 the store is a package of its own.
const folders = ['packages/store/src', 'packages/server/src/store'].map((folder) => path.join(root, folder))
const store = folders.find((folder) => existsSync(folder)) ?? ''
const database = pathToFileURL(path.join(store, 'engine/database.ts')).href
const recording = `
  import { sql as declare } from '${database}?plain'
  export * from '${database}?plain'
  export const sql = (declared) => {
    globalThis.recorded.push(declared)
    return declare(declared)
  }
`

const recorded: { name: string; text: string; locks?: string[] }[] = []
Object.assign(globalThis, { recorded })
registerHooks({
  load: (url, context, next) =>
    url === database ? { format: 'module', source: recording, shortCircuit: true } : next(url, context),
})
for (const file of readdirSync(path.join(store, 'tables'), { recursive: true, encoding: 'utf8' })) {
  if (file.endsWith('.ts')) await import(pathToFileURL(path.join(store, 'tables', file)).href)
}
process.stdout.write(JSON.stringify(recorded.map(({ name, text, locks = [] }) => ({ name, text, locks }))))
