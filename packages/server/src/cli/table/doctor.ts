/** `waypost doctor …`. */
import type { Noun } from '../command.ts'

export const doctor: Noun = {
  summary: 'Check the installation, and say how to mend what is wrong',
  own: {
    summary:
      "Check settings, store, clock, egress and the service's own mail server, and say how to mend what is wrong",
    more: 'Nothing is changed and no mail is sent. The exit code is 1 where something does not work, 0 otherwise.',
    examples: [{ line: 'waypost doctor', what: 'with the settings of the service in the environment' }],
    json: 'an array of findings: [{"check": "store", "state": "ok" | "warning" | "problem", "message": "…", "remedy": "…"}]',
    plain: async () => (await import('../doctor.ts')).doctorCommand,
  },
}
