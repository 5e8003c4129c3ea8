// Runs after `npm ci`. The package with Node brings 68 MB of C++ headers, for native add-ons. No package here builds one.
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')
const { optionalDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
for (const name of Object.keys(optionalDependencies)) {
  rmSync(path.join(root, 'node_modules', name, 'include'), { recursive: true, force: true })
}
