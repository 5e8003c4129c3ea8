/** `npm run package:sdk`: the SDK as a package, packages/sdk/dist, and packed, build/waypost-sdk-<version>.tgz. */
import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { buildSdk, packFolder } from './package-sdk/build.ts'

const root = path.join(import.meta.dirname, '..')
const dist = path.join(root, 'packages/sdk/dist')
const built = path.join(root, 'build')

mkdirSync(built, { recursive: true })
buildSdk(dist)
const file = packFolder(dist, built)
console.log(`${path.relative(root, file)}: ${Math.round(statSync(file).size / 1024)} KB`)
