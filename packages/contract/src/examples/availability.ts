import type { availability } from '../availability.ts'
import type { ExamplesOf } from './example.ts'

const hours = { days: [1, 2, 3, 4, 5], timezone: 'Europe/Stockholm', start: '9:00', end: '12:00' }

export const availabilityExamples: ExamplesOf<typeof availability> = {
  find: {
    summary: 'Times when two people can meet for 30 minutes',
    body: {
      start_time: 1_747_031_400,
      end_time: 1_747_044_000,
      duration_minutes: 30,
      interval_minutes: 30,
      participants: [
        { email: 'mira.okafor@example.com', calendar_ids: ['primary'], open_hours: [hours] },
        { email: 'selma@example.com' },
      ],
      availability_rules: { availability_method: 'collective', buffer: { before: 0, after: 15 } },
    },
    answer: {
      time_slots: [
        {
          emails: ['mira.okafor@example.com', 'selma@example.com'],
          start_time: 1_747_033_200,
          end_time: 1_747_035_000,
        },
        {
          emails: ['mira.okafor@example.com', 'selma@example.com'],
          start_time: 1_747_035_000,
          end_time: 1_747_036_800,
        },
        {
          emails: ['mira.okafor@example.com', 'selma@example.com'],
          start_time: 1_747_042_200,
          end_time: 1_747_044_000,
        },
      ],
    },
    more: {
      turns: {
        summary: 'Round robin of tour guides: the one booked longest ago comes first',
        body: {
          start_time: 1_747_130_400,
          end_time: 1_747_137_600,
          duration_minutes: 60,
          participants: [{ email: 'tour-guide-1' }, { email: 'tour-guide-2' }],
          availability_rules: { availability_method: 'max-fairness', round_robin_group_id: 'tours' },
        },
        answer: {
          order: ['tour-guide-2'],
          time_slots: [
            { emails: ['tour-guide-2'], start_time: 1_747_130_400, end_time: 1_747_134_000 },
            { emails: ['tour-guide-2'], start_time: 1_747_134_000, end_time: 1_747_137_600 },
          ],
        },
      },
    },
  },
}
