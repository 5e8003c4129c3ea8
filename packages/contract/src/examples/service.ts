import type { service } from '../service.ts'
import type { ExamplesOf } from './example.ts'

export const serviceExamples: ExamplesOf<typeof service> = {
  health: { answer: { status: 'ok', version: '1.3.2', uptime_seconds: 86_412 } },
  ready: { answer: { status: 'ready', store: 'postgresql', node: '3b1f7d2e-94c0-4a6b-8d15-e7f20c9a4b36' } },
}
