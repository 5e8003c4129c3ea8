import { describe, expect, test } from 'vitest'
import { judgeDecision, settledStatus } from '../../../src/agents/approvals/states.ts'
import { decodeRequest, encodeRequest, hashOf } from '../../../src/agents/approvals/stored-request.ts'

describe('decisions', () => {
  const pending = { status: 'pending', decision: undefined, expiresAt: 100 } as const

  test('a waiting approval accepts any decision until it expires', () => {
    for (const decision of ['approve', 'reject', 'draft'] as const) {
      expect(judgeDecision(pending, decision, 99)).toBe('begin')
      expect(judgeDecision(pending, decision, 100)).toBe('expired')
    }
  })

  test('the same decision again is a repetition, and another one is refused', () => {
    const executed = { status: 'executed', decision: 'approve', expiresAt: 100 } as const
    expect(judgeDecision(executed, 'approve', 500)).toBe('repeat')
    expect(judgeDecision(executed, 'reject', 50)).toBe('decided otherwise')
    expect(judgeDecision({ ...executed, status: 'drafted', decision: 'draft' }, 'approve', 50)).toBe(
      'decided otherwise',
    )
    expect(judgeDecision({ ...executed, status: 'expired', decision: undefined }, 'approve', 50)).toBe('expired')
  })

  test('a refused action has failed, whatever was decided', () => {
    expect(settledStatus('approve', true)).toBe('executed')
    expect(settledStatus('draft', true)).toBe('drafted')
    expect(settledStatus('approve', false)).toBe('failed')
    expect(settledStatus('draft', false)).toBe('failed')
  })
})

test('a stored request is read unchanged, and every byte affects its hash', async () => {
  const action = {
    operation: 'messages.send',
    params: { grant_id: 'g' },
    query: { type: 'mime', select: ['a', 'b'] },
    headers: {},
    json: { subject: 'Grüße 👋' },
    files: [
      { name: 'file', filename: 'a.bin', contentType: 'application/octet-stream', content: Buffer.from([0, 255, 10]) },
      { name: 'file2', filename: 'empty', contentType: undefined, content: Buffer.alloc(0) },
    ],
    mime: Buffer.from('Subject: x\r\n\r\ny'),
  }
  const bytes = encodeRequest(action)
  expect(decodeRequest(bytes)).toEqual(action)
  const other = encodeRequest({ ...action, json: { subject: 'Grüße 👋 ' } })
  expect(await hashOf(other)).not.toBe(await hashOf(bytes))
})
