import { expect, test } from 'vitest'
import { signed } from '../../../src/webhooks/transports/sns/keys.ts'

// The POST requests without a query of the signature test suite that AWS published ("aws4_testsuite").
const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const place = { region: 'us-east-1', service: 'service', at: Date.parse('2015-08-30T12:36:00Z') }
const url = new URL('https://example.amazonaws.com/')
const scope = 'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request'
const sessionToken =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=='

const cases: {
  name: string
  request: { headers: Record<string, string>; body: string }
  signer: Parameters<typeof signed>[1]
  names: string
  signature: string
}[] = [
  {
    name: 'post-vanilla',
    request: { headers: {}, body: '' },
    signer: keys,
    names: 'host;x-amz-date',
    signature: '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  },
  {
    name: 'post-header-key-sort',
    request: { headers: { 'My-Header1': 'value1' }, body: '' },
    signer: keys,
    names: 'host;my-header1;x-amz-date',
    signature: 'c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c',
  },
  {
    name: 'post-header-value-case',
    request: { headers: { 'My-Header1': 'VALUE1' }, body: '' },
    signer: keys,
    names: 'host;my-header1;x-amz-date',
    signature: 'cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d',
  },
  {
    name: 'post-x-www-form-urlencoded',
    request: { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'Param1=value1' },
    signer: keys,
    names: 'content-type;host;x-amz-date',
    signature: 'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  },
  {
    name: 'post-sts-header-before',
    request: { headers: {}, body: '' },
    signer: { ...keys, sessionToken },
    names: 'host;x-amz-date;x-amz-security-token',
    signature: '85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
  },
]

test.each(cases)(
  'a request is signed as in the published test suite: $name',
  ({ request, signer, names, signature }) => {
    const headers = signed({ url, ...request }, signer, place)
    expect(headers.authorization).toBe(`${scope}, SignedHeaders=${names}, Signature=${signature}`)
    expect(headers).not.toHaveProperty('host')
  },
)
