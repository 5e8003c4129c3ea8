/** `node scripts/release/set-version.ts 1.2.3`: writes the version of the project everywhere. */
import { writeVersion } from './version-places.ts'
import { isVersion } from './versions.ts'

const [version = ''] = process.argv.slice(2)
if (isVersion(version)) {
  const files = writeVersion(version)
  console.log(files.length === 0 ? `everything says ${version} already` : `${version} in ${files.join(', ')}`)
  console.log('next: npm run generate, and a section of this version at the top of CHANGELOG.md')
} else {
  console.error(`"${version}" is no version: node scripts/release/set-version.ts 1.2.3`)
  process.exitCode = 2
}
