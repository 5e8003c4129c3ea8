/** Whether a delivery was signed by this service, and if not, why it looks so. */
import { z } from 'zod'

export const SignatureQuestion = z
  .object({
    headers: z
      .record(z.string().max(256), z.string().max(8192))
      .refine((headers) => Object.keys(headers).length <= 200, { error: 'must hold at most 200 headers' })
      .meta({ description: 'Headers of the delivery as they came; names in any case, others than signatures too' }),
    body: z
      .string()
      .max(1_048_576)
      .optional()
      .meta({ description: 'Body as it came, as text: not parsed, not changed' }),
    body_base64: z
      .base64()
      .max(1_500_000)
      .optional()
      .meta({ description: 'In place of `body`: its bytes in base64, for a compressed one' }),
  })
  .meta({ id: 'SignatureQuestion', description: 'A delivery whose signatures are to be checked' })
export type SignatureQuestion = z.output<typeof SignatureQuestion>

export const SignatureCheck = z
  .object({
    header: z.string().meta({ description: 'Name of the header, in lower case' }),
    result: z
      .enum(['valid', 'valid_previous', 'test_secret', 'other_destination', 'body_changed', 'wrong', 'absent'])
      .meta({
        description:
          '`valid`: by the secret of the destination; `valid_previous`: by the one before its rotation; `test_secret`: by the fixed secret of test events; `other_destination`: by the secret of another destination of the application; `body_changed`: right for the same body in another form; `wrong`: by none of these; `absent`: the header is not there, or what it goes with is not',
      }),
  })
  .meta({ id: 'SignatureCheck', description: 'What a signature header of a delivery came to' })
export type SignatureCheck = z.output<typeof SignatureCheck>

export const SignatureVerdict = z
  .object({
    valid: z.boolean().meta({
      description:
        'Whether the delivery is from this service, to this destination, and unchanged; its age is told apart',
    }),
    checks: z.array(SignatureCheck).meta({ description: 'Each signature header, whether it is there or not' }),
    age_seconds: z.int().nullable().meta({
      description: 'How long ago `webhook-timestamp` is, in seconds; null where it is not there',
    }),
    too_old: z.boolean().meta({
      description:
        'More than five minutes ago: a receiver that checks the time refuses it, and so protects itself against repetitions',
    }),
    explanation: z.array(z.string()).meta({ description: 'What that means, and what to do, in words' }),
  })
  .meta({ id: 'SignatureVerdict', description: 'What the signatures of a delivery came to. No secret is told.' })
export type SignatureVerdict = z.output<typeof SignatureVerdict>
