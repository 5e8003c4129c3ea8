/** `npm run package:simulators`: packages/simulators/dist, and packed, build/waypost-simulators-<version>.tgz. */
import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { packFolder } from './package-sdk/build.ts'
import { buildSimulators } from './package-simulators/build.ts'

const root = path.join(import.meta.dirname, '..')
const dist = path.join(root, 'packages/simulators/dist')
const built = path.join(root, 'build')

mkdirSync(built, { recursive: true })
buildSimulators(dist)
const file = packFolder(dist, built)
console.log(`${path.relative(root, file)}: ${Math.round(statSync(file).size / 1024)} KB`)
