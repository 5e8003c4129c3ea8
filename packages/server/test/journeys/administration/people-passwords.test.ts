/** Passwords that people may not choose, on every form. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, openService, type TestService } from '../../harness.ts'
import { accept, goodPassword, invite, signedInPerson } from '../../people-setup.ts'

let folder: string
let service: TestService
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'waypost-passwords-'))
  await writeFile(path.join(folder, 'list.txt'), 'the motto on our wall\n')
  service = await openService({ env: { WAYPOST_PASSWORD_LIST: path.join(folder, 'list.txt') } })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const refused = [
  'mara.lindqvist@example.com',
  'Mara.Lindqvist@Example.com!',
  'mara.lindqvist',
  'MaraLindqvist1',
  'waypost-2026',
  'liverpool1',
  'the motto on our wall',
]
const problemsOf = ({ status, body }: Answer): [number, string[]] => [
  status,
  Object.keys(body.error?.validation_errors ?? {}),
]

test('an invitation, a reset link and a change refuse the same passwords, and accept any other', async () => {
  const { person, token } = await invite(service, { email: 'mara.lindqvist@example.com', role: 'administrator' })
  for (const password of refused) {
    const answer = await accept(service, { token, name: 'Mara Lindqvist', password })
    expect([password, ...problemsOf(answer)]).toEqual([password, 400, ['password']])
  }
  // A name that is chosen with the password counts too.
  const named = await accept(service, { token, name: 'Quillfeather', password: 'quillfeather9' })
  expect(problemsOf(named)).toEqual([400, ['password']])
  expect((await accept(service, { token, name: 'Mara Lindqvist', password: goodPassword })).status).toBe(200)

  const link = await service.call('POST', `/v3/admin/people/${person.id}/invitation`, { admin: true })
  const reset = link.body.data.invitation_link.split('#invitation=')[1]
  expect(problemsOf(await accept(service, { token: reset, password: refused[0] }))).toEqual([400, ['password']])
  const longest = `${'ü界 '.repeat(341)}x`
  expect((await accept(service, { token: reset, password: longest })).status).toBe(400)
  expect((await accept(service, { token: reset, password: 'x7 '.repeat(20) + goodPassword })).status).toBe(200)
})

test('a person cannot change to a refused password, or to the current one', async () => {
  const person = await signedInPerson(service, { email: 'otto.berg@example.com', name: 'Otto Berg', role: 'viewer' })
  const change = (password: string) =>
    person.call('PUT', '/v3/admin/password', { body: { current_password: goodPassword, new_password: password } })
  for (const password of ['otto.berg@example.com', 'OttoBerg2026', 'greb.otto', 'trustno1', 'short', goodPassword]) {
    expect([password, ...problemsOf(await change(password))]).toEqual([password, 400, ['new_password']])
  }
  expect((await change('nine herons by the lock')).status).toBe(200)
})

test("the operator's own password is accepted, but the log says that it is weak", async () => {
  await using weak = await openService({
    env: { WAYPOST_ADMIN_PASSWORD: 'liverpool1' },
    overrides: { serving: true },
  })
  const basic = `Basic ${Buffer.from('admin:liverpool1').toString('base64')}`
  const answer = await weak.call('GET', '/v3/admin/applications', { key: null, headers: { authorization: basic } })
  expect(answer.status).toBe(200)
  expect(weak.logs()).toContain('WAYPOST_ADMIN_PASSWORD is')
})
