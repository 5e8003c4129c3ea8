/**
 * `npm run package`: builds the command as an npm package, build/waypost-<version>.tgz. The pages must be built
 * before. The package contains the JavaScript of the service, of its commands and of the simulated providers, the
 * pages, and the licenses of the bundled packages. Separate packages contain Node itself, for machines with an older
 * Node.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { bundle } from './package/bundle.ts'
import { noticesOf } from './package/notices.ts'

const root = path.join(import.meta.dirname, '..')
const built = path.join(root, 'build')
const folder = path.join(built, 'waypost')
const programs = {
  waypost: 'packages/server/bin/waypost.mjs',
  'waypost-health': 'packages/server/bin/waypost-health.mjs',
}

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const write = (file: string, text: string, mode?: number): void => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
  writeFileSync(path.join(folder, file), text, { mode })
}

/** Of the packages with Node, npm installs the one that matches the machine; with `--omit=optional` it installs none. */
const { version, description, license, optionalDependencies } = JSON.parse(read('package.json'))

rmSync(folder, { recursive: true, force: true })
const { modules, neighbours } = await bundle({
  root,
  entries: ['packages/server/src/main.ts'],
  outDir: folder,
})
const common = { version, license, type: 'module' }
write(
  'package.json',
  JSON.stringify(
    {
      name: 'waypost',
      description,
      ...common,
      bin: programs,
      engines: { node: '>=20' },
      optionalDependencies,
    },
    null,
    2,
  ),
)
for (const file of Object.values(programs)) write(file, read(file).replaceAll(/\.ts'/g, ".js'"), 0o755)
write('THIRD-PARTY-NOTICES.txt', noticesOf(modules))
for (const file of ['LICENSE', 'example.env']) write(file, read(file))
write('README.md', read('scripts/package/README.md'))
for (const neighbour of neighbours) {
  const place = path.relative(root, neighbour)
  if (place.startsWith('node_modules')) continue
  if (place.endsWith('package.json')) write(place, JSON.stringify({ name: 'waypost', ...common }))
  else cpSync(neighbour, path.join(folder, place), { recursive: true })
}

execFileSync('npm', ['pack', '--silent', '--pack-destination', built, folder], { cwd: built, stdio: 'ignore' })
const file = path.join(built, `waypost-${version}.tgz`)
console.log(`${path.relative(root, file)}: ${(statSync(file).size / 2 ** 20).toFixed(1)} MB`)
