// Runs after `npm ci`. The package with Node brings 68 MB of C++ headers, for native add-ons. No package here builds one.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'

const folder = path.join(import.meta.dirname, '../node_modules/node/node_modules')
for (const name of existsSync(folder) ? readdirSync(folder) : []) {
  rmSync(path.join(folder, name, 'include'), { recursive: true, force: true })
}
