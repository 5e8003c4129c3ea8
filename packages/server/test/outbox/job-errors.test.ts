/** The stored error of a failed job. */

import { ApiError } from '@waypost/platform/api-error'
import { jobKinds } from '@waypost/store/tables/notifications/outbox'
import { describe, expect, test } from 'vitest'
import { jobErrorOf, wordsOfJob } from '../../src/outbox/failed-jobs.ts'
import { MailFailed } from '../../src/sending/system-mail.ts'

describe('the stored error of a job', () => {
  test('has the name of the error table, of a mail failure, of a system error, or of the class', () => {
    expect(jobErrorOf(new ApiError('provider_unavailable')).error).toBe('provider_unavailable')
    expect(jobErrorOf(new MailFailed('login_refused', 'no')).error).toBe('login_refused')
    expect(jobErrorOf(Object.assign(new Error('no'), { code: 'ECONNREFUSED' })).error).toBe('ECONNREFUSED')
    expect(jobErrorOf(new TypeError('no')).error).toBe('TypeError')
    expect(jobErrorOf('no').error).toBe('unknown')
  })

  test.each([
    ['connect to smtps://me:secret@mail.test failed', 'connect to smtps://…@mail.test failed'],
    ['GET https://api.test/path?token=abc#x gave 500', 'GET https://api.test/path?… gave 500'],
    ['refused header Authorization: Bearer abc.def', 'refused header Authorization: Bearer …'],
    [`token ${'x'.repeat(64)} refused`, 'token … refused'],
    ['550 5.1.1 <guest@example.com>: unknown user', '550 5.1.1 <guest@example.com>: unknown user'],
    ['two\nlines\u001b[31m', 'two lines [31m'],
    ['', 'Error'],
  ])('contains no credentials and no control characters: %j', (text, retained) => {
    expect(jobErrorOf(new Error(text)).message).toBe(retained)
  })

  test('has a maximum length', () => {
    const { message } = jobErrorOf(new Error('word '.repeat(1_000)))
    expect(message).toHaveLength(500)
    expect(message.endsWith('…')).toBe(true)
  })
})

test('every kind of job has a purpose and a remedy, and so has one of another version', () => {
  const all = jobKinds.map((kind) => wordsOfJob(kind).purpose)
  expect(new Set([...all, wordsOfJob('future.kind').purpose]).size).toBe(jobKinds.length + 1)
  expect(wordsOfJob('toString')).toEqual(wordsOfJob('future.kind'))
})
