/** Completion in real shells: a bash and a zsh return what they offer. */
import { execFile } from 'node:child_process'
import { chmod, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { needsProgram } from '@waypost/testing/peers/needs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bashScript, zshScript } from '../../src/cli/program/completion.ts'
import { program } from '../../src/cli/table/index.ts'

const run = promisify(execFile)

let folder: Awaited<ReturnType<typeof mkdtempDisposable>>
beforeAll(async () => {
  folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-completion-'))
  // Other tests cover the command that completion calls. Here it responds at once.
  const command = path.join(folder.path, 'waypost')
  await writeFile(command, `#!/bin/sh\n[ "$1 $2" = 'completion names' ] && printf '%s\\n' Sandbox 'My app' "Ada's"\n`)
  await chmod(command, 0o755)
  await writeFile(path.join(folder.path, 'waypost.bash'), bashScript(program))
  await writeFile(path.join(folder.path, '_waypost'), zshScript(program))
  await writeFile(path.join(folder.path, 'export.json'), '{}')
})
afterAll(() => folder.remove())

const env = () => ({ PATH: `${folder.path}:${process.env.PATH}`, HOME: folder.path, LC_ALL: 'C.UTF-8', TERM: 'dumb' })

const offered: [typed: string[], offers: string[]][] = [
  [[''], Object.keys(program)],
  [['gr'], ['grants']],
  [
    ['grants', ''],
    ['list', 'show', 'revoke', 'delete', 'export', 'usage'],
  ],
  [
    ['webhooks', 'de'],
    ['deliveries', 'deliver-now'],
  ],
  [
    ['grants', 'list', '--'],
    ['--app', '--limit', '--json', '--help'],
  ],
  [
    ['apps', 'create', 'x', '--environment', ''],
    ['production', 'staging', 'development'],
  ],
  [['apps', 'create', '--environment', 's'], ['staging']],
  [['--app', 'x', 'grants', 'us'], ['usage']],
  [
    ['import-v2', '--'],
    ['--app', '--dry-run', '--json', '--help'],
  ],
  [['import-v2', 'x.json', '--dr'], ['--dry-run']],
  [['grants', 'list', '--limit', ''], []],
  [['nothing', ''], []],
]

describe('in bash', () => {
  async function offers(words: string[]): Promise<string[]> {
    const script = `source ${folder.path}/waypost.bash; COMP_WORDS=(waypost "$@"); COMP_CWORD=$#; _waypost; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr } = await run('bash', ['--norc', '-c', script, 'bash', ...words], { env: env() })
    expect(stderr).toBe('')
    return stdout.split('\n').filter((word) => word !== '')
  }

  test.for(offered)('%j is completed', async ([typed, expected]) => {
    expect((await offers(typed)).sort()).toEqual([...expected].sort())
  })

  test('--app offers the names of applications, quoted as a shell needs them', async () => {
    expect(await offers(['grants', 'list', '--app', ''])).toEqual(['Sandbox', 'My\\ app', "Ada\\'s"])
    expect(await offers(['keys', 'list', '--app', 'my'])).toEqual(['My\\ app'])
  })

  test('is registered for the command', async () => {
    const { stdout } = await run('bash', ['--norc', '-c', `source ${folder.path}/waypost.bash; complete -p waypost`], {
      env: env(),
    })
    expect(stdout).toBe('complete -F _waypost waypost\n')
  })
})

describe('in zsh', () => {
  /** What a person sees in a terminal after the Tab key, for every line. */
  async function shown(lines: string[]): Promise<string[]> {
    const script = `
      zmodload zsh/zpty
      zpty z zsh -f -i
      zpty -w z "PS1=; stty cols 200 -echo; cd ${folder.path}; fpath=(${folder.path} \\$fpath); autoload -U compinit; compinit -u -D; LISTMAX=999; setopt nobeep; bindkey '^I' list-choices; zle-line-init() { print -n '<ed''it>' }; zle -N zle-line-init"
      for line in "$@"; do
        # Keys that are typed before the editor of lines is there are the terminal's own.
        zpty -r z seen '*<edit>*'
        zpty -n -w z "$line"$'\\t\\x15'"print do''ne"$'\\n'
        zpty -r z seen $'*\\ndone*'
        print -rn -- "$seen"$'\\0'
      done`
    const { stdout } = await run('zsh', ['-f', '-c', script, 'zsh', ...lines], { env: env(), timeout: 60_000 })
    return stdout.split('\0')
  }

  test('offers commands, verbs, options and values with their descriptions', async (context) => {
    needsProgram(context, 'zsh')
    const [nouns, verbs = '', options, choices, applications, files] = await shown([
      'waypost ',
      'waypost grants ',
      'waypost grants list --',
      'waypost apps create x --environment ',
      'waypost grants list --app ',
      'waypost import-v2 ',
    ])
    for (const noun of Object.keys(program)) expect(nouns).toMatch(new RegExp(`^${noun} +-- `, 'm'))
    for (const verb of ['list', 'show', 'revoke', 'delete', 'usage']) expect(verbs).toMatch(new RegExp(`${verb} +-- `))
    expect(options).toMatch(/--limit +-- maximum number of rows/)
    expect(choices).toMatch(/development +production +staging/)
    expect(applications).toMatch(/Ada\\'s +My\\ app +Sandbox/)
    expect(files).toMatch(/export\.json/)
  })
})
