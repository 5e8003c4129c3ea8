/** Checks whether this service signed a delivery, and if not, why. */
import { z } from 'zod'

export const SignatureQuestion = z
  .object({
    headers: z
      .record(z.string().max(256), z.string().max(8192))
      .refine((headers) => Object.keys(headers).length <= 200, { error: 'must have at most 200 headers' })
      .meta({ description: 'Headers of the delivery as received, names in any case; other headers are ignored' }),
    body: z
      .string()
      .max(1_048_576)
      .optional()
      .meta({ description: 'Body as received, as text: not parsed, not changed' }),
    body_base64: z
      .base64()
      .max(1_500_000)
      .optional()
      .meta({ description: 'Bytes of a compressed body in base64, instead of `body`' }),
  })
  .meta({ id: 'SignatureQuestion', description: 'A delivery whose signatures are checked' })
export type SignatureQuestion = z.output<typeof SignatureQuestion>

export const SignatureCheck = z
  .object({
    header: z.string().meta({ description: 'Name of the header, in lower case' }),
    result: z
      .enum(['valid', 'valid_previous', 'test_secret', 'other_destination', 'body_changed', 'wrong', 'absent'])
      .meta({
        description:
          "`valid`: signed with the destination's secret; `valid_previous`: with its secret before the rotation; `test_secret`: with the fixed secret of test events; `other_destination`: with the secret of another destination of the application; `body_changed`: correct for the same body in a different format; `wrong`: none of these; `absent`: the header or one that it depends on is missing",
      }),
  })
  .meta({ id: 'SignatureCheck', description: 'Result for one signature header' })
export type SignatureCheck = z.output<typeof SignatureCheck>

export const SignatureVerdict = z
  .object({
    valid: z.boolean().meta({
      description: 'Whether this service sent the delivery to this destination unchanged, regardless of its age',
    }),
    checks: z.array(SignatureCheck).meta({ description: 'Each signature header, present or not' }),
    age_seconds: z.int().nullable().meta({
      description: 'Age of `webhook-timestamp` in seconds; null if it is missing',
    }),
    too_old: z.boolean().meta({
      description: 'Older than five minutes: a receiver that checks the time refuses it to prevent replay attacks',
    }),
    explanation: z.array(z.string()).meta({ description: 'Explanation, and what to do' }),
  })
  .meta({ id: 'SignatureVerdict', description: 'Result of a signature check. It contains no secret.' })
export type SignatureVerdict = z.output<typeof SignatureVerdict>
