/** The table of commands: parsing, refusals, suggestions, and the generated help. */
import { existsSync, readFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { closest } from '@waypost/platform/closest'
import { describe, expect, test } from 'vitest'
import { callOf, commandsOf, commonOptions } from '../../src/cli/program/command.ts'
import { helpFor, helpOfCommand } from '../../src/cli/program/help.ts'
import { parse } from '../../src/cli/program/parse.ts'
import { program } from '../../src/cli/table/index.ts'
import { runHere, runProcess } from '../command-line.ts'

const commands = commandsOf(program)
const requested = (line: string) => parse(line.split(' ').filter(Boolean), program)

/** An example of the help as the words of a command line, without shell syntax. */
const wordsOf = (line: string): string[] =>
  Array.from(line.matchAll(/"([^"]*)"|[^\s"]+/g), ([word, quoted]) => quoted ?? word)

describe('the table of commands', () => {
  test('has code for every command, and an option takes a value in all commands or in none', async () => {
    expect(commands.length).toBeGreaterThan(20)
    const valued = new Map<string, boolean>()
    for (const { name, command } of commands) {
      const code = await ('plain' in command ? command.plain() : command.onStore())
      expect(code, name).toBeTypeOf('function')
      for (const [option, { value, choices, usual, atLeast }] of Object.entries(command.options ?? {})) {
        expect(commonOptions).not.toHaveProperty(option)
        expect(valued.get(option) ?? value !== undefined, `--${option} of ${name}`).toBe(value !== undefined)
        valued.set(option, value !== undefined)
        if (choices && usual) expect(choices).toContain(usual)
        if (atLeast !== undefined && usual) expect(Number(usual)).toBeGreaterThanOrEqual(atLeast)
      }
    }
  })

  test.for(commands)('$name has valid examples, and its help lists all arguments', ({ name, command }) => {
    const lines = Object.keys(command.examples)
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) {
      const [, called = ''] = /(?:^|\()(?:WAYPOST_\w+=\S+ )*waypost ([^)>]*)/.exec(line) ?? []
      expect(parse(wordsOf(called), program).name, line).toBe(name)
    }
    const help = helpOfCommand({ name, command })
    expect(help).toContain(`Usage: waypost ${callOf({ name, command })}`)
    for (const [option, { usual }] of Object.entries(command.options ?? {})) {
      expect(help).toContain(`--${option}`)
      // A default can be wrapped onto the next line.
      if (usual !== undefined) expect(help.replaceAll(/\s+/g, ' ')).toContain(`(default: ${usual})`)
    }
    for (const line of help.split('\n').filter((each) => !/^Usage:|^ {2}\S.*[<|]|^ {2}waypost /.test(each))) {
      expect(line.length, line).toBeLessThanOrEqual(130)
    }
  })

  test('equals docs/generated/commands.md', () => {
    const page = readFileSync(new URL('../../../../docs/generated/commands.md', import.meta.url), 'utf8')
    for (const { name } of commands) expect(page).toMatch(new RegExp(`^##+ (waypost )?${name}$`, 'm'))
  })
})

describe('a command line', () => {
  test('may have its options before, between and after its words', () => {
    for (const line of ['--app x grants show a@b', 'grants --app x show a@b', 'grants show a@b --app=x']) {
      expect(requested(line)).toMatchObject({ name: 'grants show', args: { words: ['a@b'], options: { app: 'x' } } })
    }
  })

  test('has default values for omitted options', () => {
    expect(requested('grants list').args.options).toEqual({ limit: '200' })
    expect(requested('apps create x').args.options).toEqual({ environment: 'production' })
    expect(requested('grants list --limit 5').args.options).toEqual({ limit: '5' })
  })

  test.for<[line: string, reason: string]>([
    ['fly', 'no such command: fly'],
    ['grnats', 'no such command: grnats. Did you mean "waypost grants"?'],
    ['grants lsit', 'no such command: grants lsit. Did you mean "waypost grants list"?'],
    ['apps destroy', 'no such command: apps destroy'],
    ['constructor', 'no such command: constructor'],
    ['apps constructor', 'no such command: apps constructor'],
    ['serve now', 'serve takes no further argument: now'],
    ['apps list --loud', 'apps list has no option --loud'],
    ['apps list --limt 5', 'apps list has no option --limt. Did you mean --limit?'],
    ['apps list --app x', 'apps list has no option --app'],
    ['grants list --failed', 'grants list has no option --failed'],
    ['grants --failed', 'grants has no option --failed'],
    ['--loud', 'there is no option --loud'],
    ['keys create x --app', '--app takes a value: APPLICATION'],
    ['keys create x --app --json', 'write a value that begins with a dash as --app=--json'],
    ['keys create x --app=', '--app takes a value'],
    ['webhooks replay x --failed=yes', '--failed takes no value'],
    ['apps list --json=yes', '--json takes no value'],
    ['apps create x --environment sandbox', '--environment must be production, staging or development'],
    ['apps create x --environment stagin', 'Did you mean staging?'],
    ['grants list --limit 0', '--limit must be an integer of at least 1'],
    ['grants list --limit 1e3', '--limit must be an integer'],
    ['apps create', 'NAME is missing: name of the application'],
    ['apps create My app', 'unexpected argument "app" for waypost apps create; quote arguments that contain spaces'],
  ])('with a mistake is refused with a suggestion: %s', ([line, reason]) => {
    expect(() => requested(line)).toThrow(reason)
  })

  test('with a mistake ends with status 2 and refers to the help; for a program as JSON', async () => {
    const run = await runHere(['grants', 'lsit'], {})
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toBe(
      'waypost: no such command: grants lsit. Did you mean "waypost grants list"?\n\nRun "waypost grants --help" for its usage.\n',
    )
    const fly = await runHere(['fly'], {})
    expect(fly.stderr).toContain('Run "waypost --help" for the commands.')
    const json = await runHere(['fly', '--json'], {})
    expect(json).toEqual({ code: 2, stdout: '', stderr: '{"error":"no such command: fly"}\n' })
  })
})

describe('help', () => {
  test('covers everything, a noun, or one command, as requested', async () => {
    for (const args of [[], ['help'], ['--help'], ['-h']]) {
      const { code, stdout, stderr } = await runHere(args, {})
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      for (const named of commands) expect(stdout).toContain(`\n  ${callOf(named)} `)
    }
    const list = `${helpFor(program, { noun: 'grants', name: 'grants list' })}\n`
    expect(list).toMatch(/^waypost grants list: List the grants[\s\S]*--limit N[\s\S]*With --json: an array of grants/)
    for (const args of [
      ['grants', 'list', '--help'],
      ['help', 'grants', 'list'],
      ['grants', 'list', '-h', '--app', 'x'],
    ]) {
      expect(await runHere(args, {})).toEqual({ code: 0, stdout: list, stderr: '' })
    }
    // Missing words are allowed in a request for help.
    expect((await runHere(['grants', 'show', '--help'], {})).stdout).toMatch(/Arguments:\n {2}GRANT {2}the grant/)
    const noun = await runHere(['grants', '--help'], {})
    expect(noun.stdout).toMatch(/^waypost grants: The connected accounts[\s\S]* {2}grants usage /)
    expect(noun.stdout).not.toContain('apps list')
  })

  test('of a noun alone creates no store', async () => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-help-'))
    const dataDir = path.join(folder.path, 'data')
    for (const noun of Object.keys(program).filter((each) => !program[each]?.own)) {
      const { code, stdout, stderr } = await runHere([noun], { WAYPOST_DATA_DIR: dataDir })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toBe(`${helpFor(program, { noun })}\n`)
    }
    expect(existsSync(dataDir)).toBe(false)
  })

  test('and the version come from a process, too', async () => {
    expect(await runProcess(['keys', '--help'], {})).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/keys create/),
    })
  })
})

test.for<[given: string, meant: string | undefined]>([
  ['grant', 'grants'],
  ['webhook', 'webhooks'],
  ['hooks', undefined],
  ['kesy', 'keys'],
  ['GRANTS', 'grants'],
  ['x'.repeat(1000), undefined],
  ['', undefined],
])('for a mistyped name %s, %s is suggested', ([given, meant]) => {
  expect(closest(given, ['grants', 'webhooks', 'keys', 'y'.repeat(999)])).toBe(meant)
})
