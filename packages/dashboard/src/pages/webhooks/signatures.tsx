/** How deliveries are signed, a check for a received delivery, and code samples. */
import { useMutation } from '@tanstack/react-query'
import type { SignatureCheck, SignatureVerdict } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Code, CopyButton } from '../../components/copy.tsx'
import { AreaField } from '../../components/form.tsx'
import { Card } from '../../components/page.tsx'
import { ErrorNote } from '../../components/states.tsx'
import { Table } from '../../components/table.tsx'
import { isChannel } from '../../destinations.ts'
import { sayDuration } from '../../format.ts'
import { headersIn, takeDeliveryToCheck } from './delivery-to-check.ts'
import { DestinationFrame } from './destination-frame.tsx'
import { signatureSamples } from './signature-code.ts'
import { ToDeliveries } from './to-deliveries.tsx'

const results: Record<SignatureCheck['result'], readonly [words: string, tone: Tone]> = {
  valid: ['valid', 'good'],
  valid_previous: ['valid (previous secret)', 'good'],
  test_secret: ['a test event', 'warn'],
  other_destination: ['another destination', 'bad'],
  body_changed: ['body changed', 'bad'],
  wrong: ['invalid', 'bad'],
  absent: ['missing', 'neutral'],
}

function Verdict({ verdict }: { verdict: SignatureVerdict }) {
  return (
    <section className="stack" aria-label="Result" aria-live="polite">
      <div className={`note ${verdict.valid ? (verdict.too_old ? 'warn' : 'good') : 'bad'}`}>
        <strong>{verdict.valid ? 'The signatures are valid' : 'The signatures are not valid'}</strong>
        {verdict.explanation.map((line) => (
          <span key={line}>{line}</span>
        ))}
        {verdict.age_seconds !== null && (
          <span className="small">Signed {sayDuration(Math.abs(verdict.age_seconds))} ago.</span>
        )}
      </div>
      <Table
        label="Signature headers"
        rows={verdict.checks}
        id={({ header }) => header}
        columns={[
          { title: 'Header', cell: ({ header }) => <code className="wrap">{header}</code> },
          {
            title: 'Result',
            cell: ({ result }) => <Badge tone={results[result][1]}>{results[result][0]}</Badge>,
          },
        ]}
      />
    </section>
  )
}

function Checker({ application, id }: { application: string; id: string }) {
  const [question, setQuestion] = useState(takeDeliveryToCheck)
  const check = useMutation({
    mutationFn: async () => {
      const body = { headers: headersIn(question.headers), body: question.body }
      return (await api(application).webhooks.verifySignature({ id, body })).data
    },
  })
  return (
    <Card
      title="Check a delivery"
      lead="Paste the headers and body that your receiver got. The service checks them against the secret without showing it."
    >
      <form
        className="card-body form"
        onSubmit={(event) => {
          event.preventDefault()
          check.mutate()
        }}
      >
        <AreaField
          label="Headers"
          name="headers"
          mono
          rows={6}
          hint="One per line, as name: value. Other headers are ignored."
          placeholder={'webhook-id: …\nwebhook-timestamp: …\nwebhook-signature: v1,…'}
          value={question.headers}
          onChange={(headers) => setQuestion({ ...question, headers })}
        />
        <AreaField
          label="Body"
          name="body"
          mono
          rows={6}
          hint="Exactly as received. Even one extra space changes the signature."
          value={question.body}
          onChange={(body) => setQuestion({ ...question, body })}
        />
        {check.error && <ErrorNote error={check.error} />}
        <div className="dialog-foot">
          <Button type="submit" kind="primary" busy={check.isPending}>
            Check
          </Button>
        </div>
        {check.data && <Verdict verdict={check.data} />}
      </form>
    </Card>
  )
}

function Scheme() {
  return (
    <Card title="How deliveries are signed">
      <div className="card-body stack prose">
        <p>
          Every delivery has two signatures over the exact bytes of its body. Both use the secret shown when you created
          the destination. Verify one of them before you parse the body.
        </p>
        <ul>
          <li>
            <code>webhook-signature</code> (Standard Webhooks): <code>v1,</code> and the base64 HMAC-SHA256 of{' '}
            <code>webhook-id</code>, <code>webhook-timestamp</code> and the body, joined with dots. The key is the
            base64-decoded part after <code>whsec_</code>. Reject deliveries older than five minutes to prevent replay
            attacks.
          </li>
          <li>
            <code>x-service-signature</code> and <code>x-nylas-signature</code>: the hex HMAC-SHA256 of the body. The
            key is the whole secret as text, including <code>whsec_</code>. It has no timestamp, so remember the{' '}
            <code>id</code> of each notification that you processed.
          </li>
          <li>
            For 24 hours after a rotation, both secrets sign. <code>webhook-signature</code> contains two signatures
            separated by a space, and <code>x-service-signature-previous</code> uses the old secret.
          </li>
          <li>
            Test events are signed with <code>mock-webhook-secret</code>, unless you choose the real secret.
          </li>
        </ul>
      </div>
    </Card>
  )
}

function Samples() {
  const [shown, setShown] = useState(signatureSamples[0]?.name)
  const sample = signatureSamples.find(({ name }) => name === shown) ?? signatureSamples[0]
  if (!sample) return null
  return (
    <Card
      title="Verification code"
      actions={
        <>
          {signatureSamples.map(({ name }) => (
            <Button key={name} small aria-pressed={name === shown} onClick={() => setShown(name)}>
              {name}
            </Button>
          ))}
          <CopyButton text={sample.text} label="Copy code" />
        </>
      }
    >
      <div className="card-body">
        <Code label={sample.name} text={sample.text} />
      </div>
    </Card>
  )
}

export function Signatures({ application, id }: { application: string; id: string }) {
  return (
    <DestinationFrame {...{ application, id }} current="signatures">
      {(destination) =>
        isChannel(destination) ? (
          <ToDeliveries {...{ application, id }} />
        ) : (
          <>
            <Checker {...{ application, id }} />
            <Samples />
            <Scheme />
          </>
        )
      }
    </DestinationFrame>
  )
}
