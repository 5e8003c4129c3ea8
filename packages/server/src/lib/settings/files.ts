/** Settings that stand in files: secrets of containers and services come so, and are then in no environment. */
import { readFileSync } from 'node:fs'

const ending = '_FILE'

/**
 * The environment with what `<setting>_FILE` names read in its place, without the line break at its end; and what is wrong
 * with those. `isSetting` says which names count.
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
    if (env[name]) problems.push(`${name} and ${variable} are both set: keep one`)
    try {
      read[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    } catch (error) {
      problems.push(`${variable}: ${file} cannot be read (${codeOf(error)})`)
    }
  }
  return { env: read, problems }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : error)
