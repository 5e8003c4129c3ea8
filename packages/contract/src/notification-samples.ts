/** A realistic object for each kind of notification, used in mock payloads and test events. */

import type { z } from 'zod'
import type { Approval } from './agents/approvals.ts'
import type { Calendar } from './calendars.ts'
import type { Folder } from './folders.ts'
import type {
  BounceObject,
  ContactObject,
  EventObject,
  LinkClickedObject,
  MessageCleanedObject,
  MessageHeadersObject,
  MessageObject,
  MessageOpenedObject,
  ScheduledMessageObject,
  SendFailedData,
  ThreadRepliedObject,
} from './notification-objects.ts'

const grantId = '6e1f9a52-0c4b-4d27-9b35-f2a8c1d07e64'

export const sampleGrant = {
  grant_id: grantId,
  integration_id: '2f7c61d8-5a93-4be0-8f14-3d9b70c2a6e5',
  provider: 'google',
  email: 'mira.okafor@example.com',
} as const

export const sampleMessage: z.output<typeof MessageObject> = {
  id: '18f3a6c2d94b70e1',
  grant_id: grantId,
  object: 'message',
  thread_id: '18f3a6c2d94b70e1',
  subject: 'Offer for the spring conference',
  from: [{ name: 'Jonas Lindqvist', email: 'jonas@example.org' }],
  to: [{ name: 'Mira Okafor', email: 'mira.okafor@example.com' }],
  cc: [{ name: 'Events desk', email: 'events@example.org' }],
  bcc: [],
  reply_to: [{ name: 'Jonas Lindqvist', email: 'jonas@example.org' }],
  date: 1_739_223_240,
  body: '<p>Dear Mira,</p><p>the hall is free from 12 to 14 May. The offer is attached.</p><p>Jonas</p>',
  snippet: 'Dear Mira, the hall is free from 12 to 14 May. The offer is attached.',
  starred: false,
  unread: true,
  folders: ['INBOX', 'UNREAD'],
  attachments: [
    {
      id: 'v0:b2ZmZXIucGRm:YXBwbGljYXRpb24vcGRm:48213',
      grant_id: grantId,
      filename: 'offer.pdf',
      content_type: 'application/pdf',
      size: 48_213,
      is_inline: false,
      content_id: 'ii_m7c1offer',
      content_disposition: 'attachment; filename="offer.pdf"',
    },
  ],
}

export const sampleCleanedMessage: z.output<typeof MessageCleanedObject> = {
  ...sampleMessage,
  body: 'Dear Mira,\n\nthe hall is free from 12 to 14 May. The offer is attached.\n\nJonas',
  cleaning_status: 'success',
}

const { body: _body, snippet: _snippet, attachments: _attachments, ...head } = sampleMessage
export const sampleMessageHeaders: z.output<typeof MessageHeadersObject> = {
  ...head,
  headers: [
    { name: 'Message-ID', value: '<CAF0a9b7c@mail.example.org>' },
    { name: 'Subject', value: 'Offer for the spring conference' },
  ],
}

export const sampleScheduledMessage: z.output<typeof ScheduledMessageObject> = {
  object: 'message',
  grant_id: grantId,
  id: '18f3b1d07c5e92a4',
  subject: 'Reminder: the hall on 12 May',
  from: [{ name: 'Mira Okafor', email: 'mira.okafor@example.com' }],
  to: [{ name: 'Jonas Lindqvist', email: 'jonas@example.org' }],
  cc: [],
  bcc: [],
  reply_to: [],
  attachments: [],
  schedule_id: '8cd56334-6d95-432c-86d1-c5dab0ce98be',
  send_at: 1_739_223_290,
}

export const sampleSendFailure: z.output<typeof SendFailedData> = {
  grant_id: grantId,
  reason: 'send_refused',
  error: {
    type: 'provider_error',
    message: 'The recipient address is not valid',
    status_code: 402,
    provider_error: { code: 400, message: 'Invalid To header' },
  },
}

export const sampleBounce: z.output<typeof BounceObject> = {
  bounce_reason: 'The mailbox does not exist',
  bounce_date: 'Mon, 10 Feb 2025 21:34:11 +0000',
  bounced_addresses: 'nobody@example.org',
  type: 'mailbox_unavailable',
  code: '550',
  grant_id: grantId,
  message_id: '18f3b1d07c5e92a4',
  origin: {
    to: ['nobody@example.org'],
    from: 'mira.okafor@example.com',
    cc: [],
    bcc: [],
    subject: 'Offer for the spring conference',
    mime_id: '<CAF0a9b7c@mail.example.com>',
    id: '18f3b1d07c5e92a4',
    original_send_at: 'Mon, 10 Feb 2025 21:34:00 +0000',
  },
}

const tracking = {
  message_id: '18f3b1d07c5e92a4',
  grant_id: grantId,
  label: 'spring-offer',
  sender_app_id: '0f6a2c41-7be3-4f0d-9e58-c4d17b9a3025',
  timestamp: 1_739_223_251,
}
const visit = {
  ip: '203.0.113.7',
  timestamp: 1_739_223_251,
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:135.0) Gecko/20100101 Firefox/135.0',
}

export const sampleOpened: z.output<typeof MessageOpenedObject> = {
  object: 'message',
  ...tracking,
  message_data: { count: 1, timestamp: 1_739_223_251 },
  recents: [{ opened_id: 0, ...visit }],
}

export const sampleLinkClicked: z.output<typeof LinkClickedObject> = {
  object: 'message',
  ...tracking,
  link_data: [{ count: 1, url: 'https://www.example.com/offer' }],
  recents: [{ click_id: 0, link_index: '0', ...visit }],
}

export const sampleReply: z.output<typeof ThreadRepliedObject> = {
  object: 'thread',
  ...tracking,
  message_id: '18f3b20e8d6fa3b5',
  root_message_id: '18f3b1d07c5e92a4',
  reply_data: { count: 1 },
  reply_to_message_id: '18f3b1d07c5e92a4',
  from_self: false,
  thread_id: '18f3b1d07c5e92a4',
}

export const sampleCalendar: Calendar = {
  id: 'primary-7c4e1f',
  grant_id: grantId,
  object: 'calendar',
  name: 'Team',
  description: 'Meetings of the events team',
  location: 'Uppsala',
  timezone: 'Europe/Stockholm',
  hex_color: '#1a73e8',
  hex_foreground_color: '#ffffff',
  is_owned_by_user: true,
  is_primary: true,
  read_only: false,
  metadata: {},
}

export const sampleEvent: z.output<typeof EventObject> = {
  id: '4s1dq0n7v2hk8e5t3ub9',
  object: 'event',
  grant_id: grantId,
  calendar_id: 'primary-7c4e1f',
  title: 'Walk through the hall',
  description: '<p>Bring the <b>floor plan</b>.</p>',
  text_description: 'Bring the floor plan.',
  location: 'Main hall',
  when: {
    object: 'timespan',
    start_time: 1_747_036_800,
    end_time: 1_747_040_400,
    start_timezone: 'Europe/Stockholm',
    end_timezone: 'Europe/Stockholm',
  },
  busy: true,
  status: 'confirmed',
  visibility: 'default',
  hide_participants: false,
  participants: [
    { email: 'jonas@example.org', name: 'Jonas Lindqvist', comment: null, phone_number: null, status: 'noreply' },
  ],
  resources: [],
  organizer: { name: 'Mira Okafor', email: 'mira.okafor@example.com' },
  creator: { name: 'Mira Okafor', email: 'mira.okafor@example.com' },
  ical_uid: '4s1dq0n7v2hk8e5t3ub9@example.com',
  sequence: 0,
  reminders: { use_default: true, overrides: [] },
  conferencing: {
    provider: 'Google Meet',
    details: { url: 'https://meet.example.com/abc-defg-hij', meeting_code: 'abc-defg-hij' },
  },
  html_link: 'https://calendar.example.com/event?eid=NHMxZHEw',
  read_only: false,
  metadata: {},
  created_at: 1_739_223_240,
  updated_at: 1_739_223_251,
}

export const sampleContact: z.output<typeof ContactObject> = {
  id: 'c5349612087745891203',
  grant_id: grantId,
  object: 'contact',
  display_name: 'Jonas Lindqvist',
  given_name: 'Jonas',
  middle_name: null,
  surname: 'Lindqvist',
  nickname: 'Jonte',
  suffix: null,
  birthday: '1984-03-21',
  company_name: 'Lindqvist Hallar',
  job_title: 'Manager',
  manager_name: null,
  office_location: 'Uppsala',
  notes: 'Prefers the telephone.',
  source: 'address_book',
  emails: [{ email: 'jonas@example.org', type: 'work' }],
  phone_numbers: [{ number: '+46 18 555 01 42', type: 'work' }],
  physical_addresses: [
    {
      type: 'work',
      street_address: 'Storgatan 1',
      city: 'Uppsala',
      postal_code: '753 31',
      state: null,
      country: 'SE',
    },
  ],
  im_addresses: [],
  web_pages: [{ url: 'https://www.example.org', type: 'work' }],
  groups: [{ id: 'friends' }],
}

export const sampleFolder: Folder = {
  id: 'Label_29',
  grant_id: grantId,
  object: 'folder',
  name: 'Conference',
  attributes: [],
  system_folder: false,
}

export const samplePendingApproval: Approval = {
  id: '4b7e1f90-2c5d-4a83-8f16-d93b0e72a5c4',
  object: 'approval',
  grant_id: grantId,
  kind: 'send',
  kinds: ['send'],
  operation: 'messages.send',
  status: 'pending',
  requested_by: { type: 'api_key', id: 'e8a4d2c6-5f13-4b97-a0d8-61c7f92e3b50', name: 'Support assistant' },
  preview: {
    recipients: [{ role: 'to', email: 'jonas@example.net', name: 'Jonas Lind' }],
    subject: 'Your order 4711',
    text: 'Hello Jonas,\nyour order was shipped today.',
    attachments: [{ filename: 'invoice.pdf', content_type: 'application/pdf', size: 48_213 }],
    details: [{ label: 'From', value: 'mira.okafor@example.com' }],
  },
  hash: '9f2c5e71b04d8a36c7e19f508d2b4a63e7c0915f8b3d26a47e0c91f5d8b263a4',
  result: null,
  reason: null,
  draft_id: null,
  decided_by: null,
  decided_at: null,
  expires_at: 1_739_482_451,
  created_at: 1_739_223_251,
}
const decidedApproval = { decided_by: 'mira.okafor@example.com', decided_at: 1_739_223_600 }

export const sampleExecutedApproval: Approval = {
  ...samplePendingApproval,
  ...decidedApproval,
  status: 'executed',
  result: { status: 200, body: { id: '18c2f4e0a7b3d951' } },
}
export const sampleRejectedApproval: Approval = {
  ...samplePendingApproval,
  ...decidedApproval,
  status: 'rejected',
  reason: 'The order was shipped yesterday.',
}
export const sampleExpiredApproval: Approval = { ...samplePendingApproval, status: 'expired' }
export const sampleFailedApproval: Approval = {
  ...samplePendingApproval,
  ...decidedApproval,
  status: 'failed',
  reason: 'The API key was revoked.',
}
