import type { Signature, signatures } from '../signatures.ts'
import type { ExamplesOf } from './example.ts'
import { grantId } from './shared.ts'

export const signatureId = 'b7d1f3a5-4c82-4e09-a6d7-38f0c25e91b4'

const signature: Signature = {
  id: signatureId,
  grant_id: grantId,
  object: 'signature',
  name: 'Events team',
  body: '<p>Mira Okafor<br>Events, <a href="https://www.example.com">Example</a></p>',
  created_at: 1_736_425_200,
  updated_at: 1_736_425_200,
}
const params = { signature_id: signature.id }

export const signatureExamples: ExamplesOf<typeof signatures> = {
  list: { answer: [signature] },
  create: { body: { name: signature.name, body: signature.body }, answer: signature },
  get: { params, answer: signature },
  update: {
    params,
    body: { name: 'Events team, spring' },
    answer: { ...signature, name: 'Events team, spring', updated_at: 1_739_175_300 },
  },
  delete: { params },
}
