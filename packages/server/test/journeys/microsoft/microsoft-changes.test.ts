/**
 * What only Microsoft does for notified changes of mail: recoverable items, and one request per poll.
 * microsoft-pushes.test.ts tests pushes.
 */
import { describe, expect, test } from 'vitest'
import { openMicrosoftMail } from '../../conformance/microsoft-subject.ts'
import { until, watchedMail } from '../../conformance/watched-mail.ts'
import { identity } from '../../peers/microsoft.ts'

describe('changes of mail at Microsoft', () => {
  const { open, subscriber, watched } = watchedMail({
    open: () => openMicrosoftMail({ env: { WAYPOST_POLL_SECONDS: '1' }, overrides: { serving: true } }),
    scopes: [...identity, 'Mail.ReadWrite', 'Mail.Send'],
  })

  test('a message that is deleted from the trash is deleted, although administrators can restore it', async () => {
    await using account = await watched()
    await subscriber().subscribe(account.key, 'message.deleted')
    const { mail } = open().simulator.account(account.email)
    const { immutableId: id } = mail.list()[0] ?? { immutableId: '' }
    mail.move(id, 'recoverableitemsdeletions')
    const expected = [{ id, grant_id: account.grantId, object: 'message' }]
    await until(async () => expect(await account.objects('message.deleted')).toEqual(expected))
  })

  test('an unchanged mailbox takes one request per poll', async () => {
    await using _account = await watched()
    const { simulator } = open()
    const polls = (): number => simulator.calls.filter(({ path }) => path.endsWith('/mailFolders/delta')).length
    simulator.clearCalls()
    await until(() => expect(polls()).toBeGreaterThan(3))
    const wire = simulator.calls.filter(({ batched, path }) => !batched && path.startsWith('/v1.0/'))
    expect(wire.every(({ path }) => path === '/v1.0/$batch')).toBe(true)
  })
})
