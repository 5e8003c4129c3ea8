/**
 * Posts of Graph: validation tokens that are echoed, changes with the secret of their subscription, and ending
 * subscriptions.
 */
import { describe, expect, test } from 'vitest'
import { receive } from '../../src/microsoft/push.ts'
import type { PushRequest } from '../../src/provider.ts'

const posted = (path: string, body: unknown, query = ''): PushRequest => ({
  path,
  query: new URLSearchParams(query),
  header: () => null,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  address: `https://waypost.example/v3/push/microsoft/${path}`,
})
const change = (clientState: unknown, more: object = {}) => ({
  subscriptionId: 's',
  clientState,
  changeType: 'created',
  resource: 'users/u/messages/m',
  ...more,
})

describe('a push', () => {
  test.each(['changes', 'lifecycle'])('that validates the address is answered with its token, on %s', async (path) => {
    const { answer } = (await receive(posted(path, '', 'validationToken=Validation%3A+a%26b%3Cscript%3E'))) as {
      answer: unknown
    }
    expect(answer).toEqual({ status: 200, contentType: 'text/plain; charset=utf-8', body: 'Validation: a&b<script>' })
  })

  test('says which grants to poll, each once', async () => {
    const body = { value: [change('a'), change('b'), change('a')] }
    expect(await receive(posted('changes', body))).toEqual({ hints: [{ token: 'a' }, { token: 'b' }] })
  })

  test('says that a subscription ends, or that something was missed', async () => {
    const event = (lifecycleEvent: string, clientState: string) => change(clientState, { lifecycleEvent })
    const value = [
      event('missed', 'a'),
      event('reauthorizationRequired', 'b'),
      event('missed', 'b'),
      event('subscriptionRemoved', 'c'),
    ]
    expect(await receive(posted('lifecycle', { value }))).toEqual({
      hints: [{ token: 'a' }, { token: 'b', renewPush: true }, { token: 'c', renewPush: true }],
    })
  })

  test.each([
    ['no JSON', 'changes', '{'],
    ['no list', 'changes', {}],
    ['no secret', 'changes', { value: [change(undefined)] }],
    ['one secret of two', 'changes', { value: [change('a'), change(7)] }],
    ['another path', 'mail', { value: [change('a')] }],
    ['a token without end', 'changes', ''],
  ])('with %s is not genuine', async (what, path, body) => {
    const query = what === 'a token without end' ? `validationToken=${'x'.repeat(2049)}` : ''
    await expect(receive(posted(path, body, query))).rejects.toMatchObject({ code: 'not_found' })
  })
})
