/** Settings read from files, as containers and services provide secrets, so that they are not in the environment. */
import { readFileSync } from 'node:fs'

const ending = '_FILE'

/**
 * Returns the environment with each `<setting>_FILE` replaced by the file's content without its final line break, and
 * the problems found. `isSetting` decides which names count.
 */
export function withSettingFiles(
  env: NodeJS.ProcessEnv,
  isSetting: (name: string) => boolean,
): { env: NodeJS.ProcessEnv; problems: string[] } {
  const problems: string[] = []
  const read: NodeJS.ProcessEnv = { ...env }
  for (const [variable, file] of Object.entries(env)) {
    const name = variable.slice(0, -ending.length)
    if (!variable.endsWith(ending) || !isSetting(name) || isSetting(variable)) continue
    delete read[variable]
    if (!file) continue
    if (env[name]) problems.push(`${name} and ${variable} are both set: remove one`)
    try {
      read[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    } catch (error) {
      problems.push(`${variable}: ${file} cannot be read (${codeOf(error)})`)
    }
  }
  return { env: read, problems }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : error)
