/** The authentication results that a receiving server reports, as opposed to claims of the sender. */
import { expect, test } from 'vitest'
import { authenticationOf } from '../../../src/api/mcp/content/authentication.ts'

const headers = (...lines: string[]) =>
  lines.map((line) => ({ name: line.slice(0, line.indexOf(':')), value: line.slice(line.indexOf(':') + 1).trim() }))
const unknown = { spf: 'unknown', dkim: 'unknown', dmarc: 'unknown' }
const forged = 'Authentication-Results: mx.example.org; spf=pass; dkim=pass; dmarc=pass'

test('the results of Google are read below its own trace', () => {
  const message = headers(
    'Delivered-To: ann@gmail.com',
    'Received: by 2002:a05:6214:1:b0:1:2:3 with SMTP id q4; Wed, 18 Nov 2026 10:00:00 -0800',
    'ARC-Authentication-Results: i=1; mx.google.com; spf=fail',
    'Received: from mail.sender.test by mx.google.com with ESMTPS id 1; Wed, 18 Nov 2026 10:00:00 -0800',
    'Authentication-Results: mx.google.com; dkim=fail header.i=@a.test; dkim=pass (ok; dmarc=fail) header.i=@b.test; spf=softfail (google.com: x) smtp.mailfrom="dmarc=pass"; dmarc=fail (p=NONE) header.from=b.test',
    forged,
  )
  expect(authenticationOf(message)).toEqual({ spf: 'softfail', dkim: 'pass', dmarc: 'fail' })
})

test('Microsoft names no server', () => {
  const message = headers(
    'Received: from a.prod.outlook.com by b.prod.outlook.com with HTTPS; Wed, 18 Nov 2026 10:00:00 +0000',
    'Authentication-Results: spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=a.test; dkim=none (message not signed) header.d=none;dmarc=bestguesspass action=none header.from=a.test;compauth=pass reason=109',
  )
  expect(authenticationOf(message)).toEqual({ spf: 'pass', dkim: 'none', dmarc: 'unknown' })
})

test('another server counts only above its own Received header', () => {
  const received = 'Received: from x by mx.example.org with ESMTP id 1; Wed, 18 Nov 2026 10:00:00 +0000'
  expect(authenticationOf(headers(forged, received))).toEqual({ spf: 'pass', dkim: 'pass', dmarc: 'pass' })
  expect(authenticationOf(headers(received, forged))).toEqual(unknown)
})

test('a forged header of a large provider does not count at another server', () => {
  const received = 'Received: from x by mx.example.org with ESMTP id 1; Wed, 18 Nov 2026 10:00:00 +0000'
  const google = 'Authentication-Results: mx.google.com; spf=pass; dkim=pass; dmarc=pass'
  expect(authenticationOf(headers(received, 'Received: from y by mx.google.com; now', google))).toEqual(unknown)
  const atGoogle = 'Received: from x by mx.google.com; now'
  expect(authenticationOf(headers(atGoogle, forged, google))).toEqual(unknown)
})

test.for([[undefined], [[]], [headers('Subject: none')], [headers('Authentication-Results: ;;;===((("')]])(
  'nothing usable is unknown: %j',
  ([given]) => {
    expect(authenticationOf(given)).toEqual(unknown)
  },
)
