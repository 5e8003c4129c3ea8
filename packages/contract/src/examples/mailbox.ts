/** Mailbox objects other than messages: threads, folders and attachments. */
import type { attachmentUploads } from '../attachment-uploads.ts'
import type { Attachment, attachments } from '../attachments.ts'
import type { Folder, folders } from '../folders.ts'
import type { LatestDraftOrMessage, Thread, threads } from '../threads.ts'
import type { ExamplesOf } from './example.ts'
import { grantId, sampleFolder, sampleMessage } from './shared.ts'

const latest: LatestDraftOrMessage = { ...sampleMessage }
const thread: Thread = {
  id: sampleMessage.thread_id ?? '',
  grant_id: grantId,
  object: 'thread',
  subject: 'Offer for the spring conference',
  snippet: 'Dear Mira, the hall is free from 12 to 14 May. The offer is attached.',
  latest_draft_or_message: latest,
  has_attachments: true,
  has_drafts: false,
  starred: false,
  unread: true,
  earliest_message_date: 1_739_223_240,
  latest_message_received_date: 1_739_223_240,
  participants: [
    { name: 'Jonas Lindqvist', email: 'jonas@example.org' },
    { name: 'Mira Okafor', email: 'mira.okafor@example.com' },
    { name: 'Events desk', email: 'events@example.org' },
  ],
  message_ids: [sampleMessage.id],
  draft_ids: [],
  folders: ['INBOX', 'UNREAD'],
}
const threadParams = { thread_id: thread.id }

export const threadExamples: ExamplesOf<typeof threads> = {
  list: { query: { in: 'INBOX', unread: true, limit: 20 }, answer: [thread] },
  get: { params: threadParams, answer: thread },
  update: {
    summary: 'Read, and moved to another label',
    params: threadParams,
    body: { unread: false, folders: [sampleFolder.id] },
    answer: {
      ...thread,
      unread: false,
      folders: [sampleFolder.id],
      latest_draft_or_message: { ...latest, unread: false, folders: [sampleFolder.id] },
    },
  },
  delete: { params: threadParams },
}

const inbox: Folder = {
  id: 'INBOX',
  grant_id: grantId,
  object: 'folder',
  name: 'INBOX',
  attributes: ['\\Inbox'],
  system_folder: true,
  total_count: 1_204,
  unread_count: 17,
}
const conference: Folder = { ...sampleFolder, total_count: 42, unread_count: 0 }
const colored: Folder = { ...conference, background_color: '#16a765', text_color: '#ffffff' }
const folderParams = { folder_id: conference.id }

export const folderExamples: ExamplesOf<typeof folders> = {
  list: { query: { limit: 50 }, answer: [inbox, conference] },
  create: {
    body: { name: 'Conference', background_color: '#16a765', text_color: '#ffffff' },
    answer: { ...colored, total_count: 0 },
    more: {
      within: {
        summary: 'A nested folder on an IMAP server',
        body: { name: 'Conference/2025' },
        answer: {
          id: 'Q29uZmVyZW5jZS8yMDI1',
          grant_id: grantId,
          object: 'folder',
          name: 'Conference/2025',
          attributes: [],
          system_folder: false,
          total_count: 0,
          unread_count: 0,
        },
      },
    },
  },
  get: { params: { folder_id: inbox.id }, answer: inbox },
  update: {
    params: folderParams,
    body: { name: 'Spring conference' },
    answer: { ...conference, name: 'Spring conference' },
  },
  delete: { params: folderParams },
}

const offer: Attachment = {
  id: 'v0:b2ZmZXIucGRm:YXBwbGljYXRpb24vcGRm:48213',
  grant_id: grantId,
  filename: 'offer.pdf',
  content_type: 'application/pdf',
  size: 48_213,
  is_inline: false,
  content_disposition: 'attachment',
}
const ofMessage = { params: { attachment_id: offer.id }, query: { message_id: sampleMessage.id } }

export const attachmentExamples: ExamplesOf<typeof attachments> = {
  list: { params: { message_id: sampleMessage.id }, answer: [offer] },
  get: { ...ofMessage, answer: offer },
  download: ofMessage,
}

const uploadId = '5f2c9d1e-8a43-4f0b-9a6e-3d7b1c2e4f50'

export const attachmentUploadExamples: ExamplesOf<typeof attachmentUploads> = {
  create: {
    body: { filename: 'recording.mp4', content_type: 'video/mp4', size: 83_886_080 },
    answer: {
      attachment_id: uploadId,
      grant_id: grantId,
      method: 'PUT',
      url: 'https://waypost.example.com/uploads/QmFzZTY0dXJs',
      headers: { 'content-type': 'video/mp4' },
      expires_at: '2025-02-10T22:34:00Z',
      max_size: 157_286_400,
      size: 83_886_080,
      content_type: 'video/mp4',
      filename: 'recording.mp4',
    },
  },
  complete: {
    params: { upload_id: uploadId },
    answer: { attachment_id: uploadId, grant_id: grantId, status: 'ready' },
  },
}
