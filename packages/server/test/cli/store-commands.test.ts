/**
 * Common behavior of commands on a store, on both engines: the choice of the application, nouns without a verb, and
 * limits.
 */

import { addCredentialRequests } from '@waypost/store/tables/applications/credential-requests'
import { enginesFor } from '@waypost/testing/engines'
import { migratedStore } from '@waypost/testing/peers/test-stores'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runHere } from '../command-line.ts'
import { openService } from '../harness.ts'

describe.each(enginesFor(import.meta.url))('commands on %s', (engine) => {
  const stack = new AsyncDisposableStack()
  let env: Record<string, string>
  let place: { dataDir: string; databaseUrl?: string }
  const ids: string[] = []

  beforeAll(async () => {
    const { dataDir, databaseUrl } = stack.use(await migratedStore(engine))
    env = { WAYPOST_DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) }
    place = { dataDir, ...(databaseUrl ? { databaseUrl } : {}) }
    await using service = await openService({ engine, ...place })
    for (const name of ['Billing', 'Twice', 'Twice', 'twICE', 'Ünï "quoted"']) {
      ids.push((await service.createApplication(name)).id)
    }
  })
  afterAll(() => stack.disposeAsync())

  const run = (...args: string[]) => runHere(args, env)
  async function json(...args: string[]) {
    const { code, stdout, stderr } = await run(...args, '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout)
  }

  test('--app takes an id, a name, and a name in another case', async () => {
    for (const app of [ids[0] ?? '', 'Billing', 'BILLING']) {
      expect(await json('keys', 'list', '--app', app)).toMatchObject([{ application_id: ids[0], name: 'key' }])
    }
    expect(await json('keys', 'list', '--app', 'Ünï "quoted"')).toMatchObject([{ application_id: ids[4] }])
    // A name with the same case takes precedence over one in another case.
    expect(await json('keys', 'list', '--app', 'twICE')).toMatchObject([{ application_id: ids[3] }])
    expect(await json('keys', 'list', '--app', 'sandbox')).toMatchObject([{ name: 'First key' }])
    expect(await json('grants', 'usage', '--app', 'Billing')).toMatchObject([{ application_id: ids[0] }])
  })

  test('--app with an ambiguous name lists the ids, and with an unknown name suggests one', async () => {
    const several = await run('keys', 'create', '--app', 'Twice')
    expect(several).toMatchObject({ code: 2, stdout: '' })
    expect(several.stderr).toMatch(/2 applications are called "Twice": use one of the ids/)
    for (const id of ids.slice(1, 3)) expect(several.stderr).toContain(`${id} (production)`)
    const mistyped = await run('keys', 'create', '--app', 'Biling')
    expect(mistyped).toMatchObject({ code: 1, stdout: '' })
    expect(mistyped.stderr).toContain('no application with this id or name: Biling; did you mean "Billing"?')
    expect((await run('grants', 'list', '--app', 'Nowhere')).stderr).toContain(
      'run "waypost apps list" for all applications',
    )
  })

  test('a key needs no name', async () => {
    const made = await json('keys', 'create', '--app', 'Billing')
    expect(made).toMatchObject({ name: expect.stringMatching(/^Key of \d{4}-\d\d-\d\d$/), application_id: ids[0] })
    expect(made.api_key).toMatch(/^wpk_production_/)
  })

  test('a restricted key has the rights of its options, which an update replaces', async () => {
    const at = ['--app', 'Billing']
    const made = await json(
      ...['keys', 'create', 'Assistant', ...at, '--allow', 'mail.read,mail.send', '--grant-metadata', 'team=sales'],
      ...['--recipient', 'example.com,ann@partner.example', '--messages-per-hour', '20', '--network', '10.0.0.0/8'],
      ...['--no-approval', 'send', '--no-elicitation', '--expires-in', '30'],
    )
    expect(made).toMatchObject({
      ...{ name: 'Assistant', permissions: ['mail.read', 'mail.send'], expires_in: 30 },
      rights: {
        operations: ['mail.read', 'mail.send'],
        grants: { metadata: { team: 'sales' } },
        recipients: ['example.com', 'ann@partner.example'],
        messages_per_hour: 20,
        networks: ['10.0.0.0/8'],
        approval: ['delete', 'invite'],
        elicitation: false,
      },
    })
    expect(made.api_key).toMatch(/^wprk_production_/)
    expect((await run('keys', 'list', ...at)).stdout).toContain(
      'mail.read mail.send; grants with team=sales; to example.com ann@partner.example; 20 messages per hour; from 10.0.0.0/8; approval: delete invite',
    )
    const changed = await json('keys', 'update', made.id, ...at, '--name', 'Reader', '--allow', 'mail.read')
    expect(changed).toMatchObject({
      name: 'Reader',
      rights: { operations: ['mail.read'], approval: ['send', 'delete', 'invite'] },
    })
    expect(changed.rights).not.toHaveProperty('recipients')
  })

  test('invalid rights are refused with the option to correct', async () => {
    const at = ['--app', 'Billing']
    const refused = async (...args: string[]) => {
      const { code, stderr, stdout } = await run('keys', ...args, ...at)
      expect({ stdout, isRefused: code > 0 }).toEqual({ stdout: '', isRefused: true })
      return stderr
    }
    expect(await refused('create', '--recipient', 'example.com')).toContain('--allow')
    expect(await refused('create', '--allow', 'mail.everything')).toContain('operations.0')
    expect(await refused('create', '--allow', 'mail.read', '--grant', 'nobody@example.com')).toContain(
      'nobody@example.com',
    )
    expect(await refused('create', '--allow', 'mail.read', '--network', '10.0.0.0/99')).toContain('networks.0')
    expect(await refused('create', '--allow', 'mail.read', '--no-approval', 'reading')).toContain(
      'send, delete, invite',
    )
    for (const limit of ['grant', 'recipient', 'network', 'no-approval']) {
      expect(await refused('create', '--allow', 'mail.read', `--${limit}`, ' , ')).toContain(`--${limit} is empty`)
    }
    expect(await refused('create', '--allow', ',')).toContain('--allow is empty')
    expect(await refused('create', '--allow', '')).toContain('--allow takes a value')
    expect(await refused('create', '--allow', 'mail.read', '--recipients', 'example.com')).toContain('--recipient')
    expect(await refused('create', '--allow', 'webhooks', '--grant-metadata', 'a=b')).toContain('grants')
    const [whole] = await json('keys', 'list', ...at)
    expect(await refused('update', whole.id, '--allow', 'mail.read')).toContain('has all rights')
    expect(await refused('update', whole.id)).toContain('--name or --allow')
  })

  test('the requests of a key are listed, and those that failed', async () => {
    const [key] = await json('keys', 'list', '--app', 'Billing')
    const row = { application_id: ids[0] ?? '', credential_id: key.id, method: 'POST', tool: null, grant_id: null }
    await using service = await openService({ engine, ...place })
    await addCredentialRequests(service.services.storage.database, [
      { ...row, id: 'a', at: 1_800_000_000_000, operation: 'messages.list', status: 200, error: null },
      { ...row, id: 'b', at: 1_800_000_001_000, operation: 'messages.send', status: 403, error: 'missing_right' },
    ])
    const all = await json('keys', 'requests', key.id, '--app', 'Billing')
    expect(all.map(({ id }: { id: string }) => id)).toEqual(['b', 'a'])
    const failed = await run('keys', 'requests', key.id, '--app', 'Billing', '--failed')
    expect(failed.stdout).toMatch(/2027-01-15T08:00:01Z +POST +messages.send .* 403 +missing_right/)
    expect(failed.stdout).not.toContain('messages.list')
    expect((await run('keys', 'requests', 'x', '--app', 'Billing')).stderr).toContain('no such key in this application')
  })

  test('a noun alone shows its help and the start of its list; for a program, only the list', async () => {
    const apps = await run('apps')
    expect(apps).toMatchObject({ code: 0, stderr: '' })
    expect(apps.stdout).toMatch(/^waypost apps: [\s\S]* {2}apps create NAME [\s\S]*\n\nAPPLICATION_ID [\s\S]* Billing /)
    expect(await json('apps')).toEqual(await json('apps', 'list'))
    const keys = await run('keys', '--app', 'Billing')
    expect(keys.stdout).toMatch(/ {2}keys revoke KEY_ID [\s\S]*\n\nID +NAME/)
    const ofBilling = await json('keys', '--app', 'Billing')
    expect(ofBilling).toEqual(await json('keys', 'list', '--app', 'Billing'))
    expect(ofBilling).not.toEqual(await json('keys', 'list', '--app', 'Sandbox'))
    expect(await json('apps', '--limit', '2')).toHaveLength(2)
  })

  test('a truncated list says that there are more items', async () => {
    const short = await run('apps', 'list', '--limit', '2')
    expect(short.stdout.trimEnd().split('\n')).toHaveLength(3)
    expect(short.stderr).toBe('Only the first 2 are shown; use --limit N for more.\n')
    expect((await run('apps', 'list', '--limit', '6')).stderr).toBe('')
    expect(await json('apps', 'list', '--limit', '2')).toHaveLength(2)
    expect((await run('keys', 'list', '--app', 'Billing', '--limit', '1')).stderr).toContain('the first 1')
  })

  test('completion offers the names of the applications', async () => {
    expect(await json('completion', 'names')).toEqual(['Sandbox', 'Billing', 'Twice', 'Twice', 'twICE', 'Ünï "quoted"'])
    expect((await run('completion', 'names')).stdout).toContain('\nBilling\n')
  })
})

test('completion offers no names and creates nothing without a store', async () => {
  const nothing = await runHere(['completion', 'names'], { WAYPOST_DATA_DIR: '/proc/nowhere' })
  expect(nothing).toEqual({ code: 0, stdout: '', stderr: '' })
  const wrong = await runHere(['completion', 'names'], { WAYPOST_PORT: 'x' })
  expect(wrong).toEqual({ code: 0, stdout: '', stderr: '' })
})
