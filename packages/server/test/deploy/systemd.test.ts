/** deploy/systemd: a unit that systemd accepts, restricted as far as the service allows, with existing settings. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { needsProgram } from '@waypost/testing/peers/needs'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { endMs } from '../../src/node.ts'
import { root, textOf, unknownSettings, variablesOf } from './files.ts'

const run = promisify(execFile)
const file = 'deploy/systemd/waypost.service'
const unit = textOf(file)
const valuesOf = (name: string): string[] =>
  Array.from(unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm')), ([, value = '']) => value)

test('systemd accepts the unit once the package is installed', async (context) => {
  needsProgram(context, 'systemd-analyze')
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-unit-'))
  const programs = path.join(folder.path, 'node_modules/.bin')
  await mkdir(programs, { recursive: true })
  await writeFile(path.join(programs, 'waypost'), '#!/bin/sh\n', { mode: 0o755 })
  const installed = path.join(folder.path, 'waypost.service')
  await writeFile(installed, unit.replaceAll('/opt/waypost', folder.path))
  const { stderr } = await run('systemd-analyze', ['verify', '--man=no', installed])
  expect(stderr.split('\n').filter((line) => line.includes('waypost.service'))).toEqual([])
  await writeFile(installed, unit.replace('NoNewPrivileges=yes', 'NoNewPrivilege=yes'))
  const misspelt = await run('systemd-analyze', ['verify', '--man=no', installed]).catch((error) => error)
  expect(misspelt.stderr).toMatch(/Unknown key (?:name )?'NoNewPrivilege'/)
})

test('the exposure of the unit is at most 1.5 of 10', async (context) => {
  needsProgram(context, 'systemd-analyze')
  const args = ['security', '--no-pager', '--offline=yes', '--threshold=15', `${root}${file}`]
  const { stdout } = await run('systemd-analyze', args)
  expect(stdout).toMatch(/Overall exposure level for waypost\.service: [01]\.\d OK/)
})

test('the unit has existing settings that the service accepts', () => {
  const own = Object.fromEntries(valuesOf('Environment').map((each) => each.split('=', 2)))
  const given = variablesOf(textOf('deploy/systemd/waypost.env'))
  const shown = variablesOf(textOf('deploy/systemd/waypost.env').replaceAll(/^# (?=[A-Z])/gm, ''))
  expect(unknownSettings(Object.keys({ ...own, ...shown }))).toEqual([])
  const { config } = readConfig({ ...own, ...given })
  expect(config.dataDir).toBe(`/var/lib/${valuesOf('StateDirectory')[0]}`)
  const user = /^u (\S+) /m.exec(textOf('deploy/systemd/waypost.sysusers'))?.[1]
  expect(valuesOf('User')).toEqual([user])
})

test('the unit waits for the longest shutdown that the settings allow', () => {
  const { announceMs } = readConfig({ WAYPOST_SHUTDOWN_ANNOUNCE_MS: '60000' }).config
  expect(Number(valuesOf('TimeoutStopSec')[0]) * 1000).toBeGreaterThan(announceMs + endMs + 5_000)
})

describe('the command that the guide installs', () => {
  const command = 'deploy/systemd/waypost'
  const given = Array.from(textOf(command).matchAll(/--([a-z-]+)(?:=(\S+))?/g), ([, name = '', value]) => ({
    name,
    value,
  }))
  const valuesGiven = (name: string) => given.filter((each) => each.name === name).map(({ value }) => value)

  test('has the user and every setting of the unit', () => {
    const ofMemory = (each: string): boolean => each.startsWith('MALLOC_')
    expect(valuesGiven('setenv')).toEqual(valuesOf('Environment').filter((each) => !ofMemory(each)))
    expect(valuesGiven('uid')).toEqual(valuesOf('User'))
    expect(valuesGiven('gid')).toEqual(valuesOf('Group'))
    const properties = ['EnvironmentFile', 'UMask'].flatMap((name) => valuesOf(name).map((each) => `${name}=${each}`))
    expect(valuesGiven('property')).toEqual(properties)
  })

  test('is accepted by systemd-run, and passes on its arguments', async () => {
    const { stdout: help } = await run('systemd-run', ['--help'])
    for (const { name } of given) expect(help, name).toMatch(new RegExp(`--${name}\\b`))
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-command-'))
    const stand = '#!/bin/sh\nprintf "%s\\n" "$@"\n'
    await writeFile(path.join(folder.path, 'systemd-run'), stand, { mode: 0o755 })
    const env = { PATH: `${folder.path}:/usr/bin:/bin` }
    const { stdout } = await run(`${root}${command}`, ['apps', 'create', 'My app'], { env })
    const program = valuesOf('ExecStart')[0]?.replace(/ serve$/, '')
    expect(stdout.trimEnd().split('\n').slice(-4)).toEqual([program, 'apps', 'create', 'My app'])
  })

  test('is installed by the guide and used in it', () => {
    const guide = textOf('docs/running.md')
    expect(guide).toContain(`sudo install -D -m 0755 ${command} /usr/local/bin/waypost`)
    expect(guide).not.toContain('sudo -u waypost')
  })
})
