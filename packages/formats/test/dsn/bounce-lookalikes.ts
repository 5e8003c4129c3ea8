/** Mail that is not a bounce, or not yet. */
import { daemon, dsn, failed, original, plain, sentId } from './bounce-samples.ts'

/** Mail that is not a bounce, however much it looks like one. */
export const ordinary: { name: string; source: string }[] = [
  {
    name: 'a letter',
    source: plain('From: Ann <ann@example.org>\nTo: mira@example.com\nSubject: Lunch', 'At 1? 550 people come.'),
  },
  {
    name: 'a letter about a bounce',
    source: plain(
      'From: Ann <ann@example.org>\nTo: mira@example.com\nSubject: Delivery failure?',
      `Mine came back: 550 5.1.1 <bob@example.org> user unknown. Do you have another address?\n\n${original()}`,
    ),
  },
  {
    name: 'a bounce that somebody passed on in the text',
    source: plain(
      'From: Ann <ann@example.org>\nTo: mira@example.com\nSubject: Fwd: Returned mail: see transcript for details',
      `Look:\n\n> From: MAILER-DAEMON@example.org\n> <bob@example.org>\n> 550 5.1.1 User unknown\n> Message-ID: <${sentId}>`,
    ),
  },
  {
    name: 'a bounce that somebody passed on as an attachment',
    source: plain(
      'From: Ann <ann@example.org>\nTo: mira@example.com\nSubject: Fwd: failure\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=o',
      `--o\nContent-Type: text/plain\n\nSee below.\n\n--o\nContent-Type: message/rfc822\n\n${dsn({ blocks: [failed('gone@example.org')] })}\n--o--`,
    ),
  },
  {
    name: 'an answer of somebody who is away',
    source: plain(
      'Return-Path: <>\nFrom: Bob <bob@example.org>\nTo: mira@example.com\nSubject: Out of office: Offer\nAuto-Submitted: auto-replied\nIn-Reply-To: <7d1f.0a@mail.example.com>',
      'I am away until Monday. In a hurry? Write to ann@example.org, room 550.',
    ),
  },
  {
    name: 'an answer of an address that is given up soon',
    source: plain(
      'Return-Path: <>\nFrom: Bob <bob@example.org>\nTo: mira@example.com\nSubject: Automatic reply\nAuto-Submitted: auto-replied',
      'bob@example.org will no longer be in use. My new address is unknown to most: bob@example.net',
    ),
  },
  {
    name: 'a newsletter of a sender without a mailbox',
    source: plain(
      'Return-Path: <bounces+77@news.example.org>\nFrom: News <noreply@news.example.org>\nTo: mira@example.com\nSubject: Delivery in 24 hours\nList-Unsubscribe: <https://news.example.org/u>',
      'Order now, 550 products. Questions: help@news.example.org',
    ),
  },
  {
    name: 'a letter of the postmaster',
    source: plain(
      'Return-Path: <postmaster@example.com>\nFrom: Postmaster <postmaster@example.com>\nTo: mira@example.com\nSubject: Work on Sunday',
      'The server will be down for an hour. Write to ann@example.org if that does not suit you.',
    ),
  },
  {
    name: 'a receipt: the message was read',
    source: dsn({
      from: 'Bob <bob@example.org>',
      subject: 'Read: Offer',
      kind: 'multipart/report; report-type=disposition-notification',
      statusType: 'message/disposition-notification',
      blocks: ['Final-Recipient: rfc822;bob@example.org\nDisposition: manual-action/MDN-sent-manually; displayed'],
    }),
  },
  {
    name: 'a parcel that could not be delivered',
    source: plain(
      'Return-Path: <service@parcels.example>\nFrom: Parcels <service@parcels.example>\nTo: mira@example.com\nSubject: Delivery failed: nobody was at home',
      'Parcel 5.1.1 for mira@example.net waits for you.',
    ),
  },
  {
    name: 'a bounce that somebody passed on with its parts',
    source: plain(
      'From: Ann <ann@example.org>\nTo: mira@example.com\nSubject: Fwd: Undelivered Mail Returned to Sender\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=o',
      `--o\nContent-Type: text/plain\n\nWhat does this mean?\n\n--o\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.com\n\n${failed('gone@example.org')}\n\n--o\nContent-Type: text/rfc822-headers\n\n${original()}\n--o--`,
    ),
  },
  {
    name: 'the fields of a report in the letter of a person',
    source: plain(
      'From: Ann <ann@example.org>\nTo: mira@example.com\nSubject: Undelivered?',
      `Look:\n\nReporting-MTA: dns; mx.example.com\n\n${failed('gone@example.org')}\n\n${original()}`,
    ),
  },
  {
    name: 'an answer to a letter of the postmaster, with a bounce quoted',
    source: plain(
      'Return-Path: <ann@example.org>\nFrom: Ann <ann@example.org>\nTo: postmaster@example.com\nSubject: Re: Delivery Status Notification (Failure)',
      `It works now.\n\n> <gone@example.org>: 550 5.1.1 User unknown\n> Message-ID: <${sentId}>`,
    ),
  },
  {
    name: 'a newsletter about bounces',
    source: plain(
      'Return-Path: <bounces+9@news.example.org>\nFrom: Deliverability News <news@news.example.org>\nTo: mira@example.com\nSubject: Undeliverable mail: ten tips\nList-Unsubscribe: <https://news.example.org/u>',
      'When a server says 550 5.1.1 <someone@example.org> user unknown, stop. A mailbox full (552) may pass.\n\nhelp@news.example.org',
    ),
  },
  {
    name: 'a receipt that was not read, from a mail system',
    source: dsn({
      from: 'postmaster@example.org',
      subject: 'Not read: returned message',
      kind: 'multipart/report; report-type=disposition-notification',
      statusType: 'message/disposition-notification',
      text: 'Your message to bob@example.org could not be delivered to a reader: it was deleted without being read.',
      blocks: [
        'Final-Recipient: rfc822;bob@example.org\nDisposition: automatic-action/MDN-sent-automatically; deleted',
      ],
    }),
  },
  { name: 'nothing', source: '' },
]

/** Mail that is delayed, not lost. */
export const delays: { name: string; source: string }[] = [
  {
    name: 'a report of a delay',
    source: dsn({
      subject: 'Delayed Mail (still being retried)',
      blocks: [
        'Final-Recipient: rfc822; slow@example.org\nAction: delayed\nStatus: 4.4.1\nDiagnostic-Code: X; connect: timed out\nWill-Retry-Until: Sat, 6 Jun 2026 12:00:00 +0000',
      ],
    }),
  },
  {
    name: 'exim in words',
    source: plain(
      `${daemon}\nSubject: Warning: message 1abc delayed 24 hours`,
      `Written by the mail software.\n\nA letter of yours has not been delivered after 24 hours. It has not yet been possible for:\n\n  slow@example.org\n    Delay reason: connection timed out\n\nNo action is required on your part. Delivery attempts will continue.`,
    ),
  },
  {
    name: 'sendmail in words',
    source: plain(
      `${daemon}\nSubject: Warning: could not send message for past 4 hours`,
      `    ** THIS IS A WARNING MESSAGE ONLY **\n\n   ----- Transcript of session follows -----\n<slow@example.org>... Deferred: Connection timed out\nWarning: message still undelivered after 4 hours\nWill keep trying until message is 5 days old`,
    ),
  },
  {
    name: 'Gmail in words, with the last reply',
    source: plain(
      'Return-Path: <>\nFrom: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nTo: mira@example.com\nSubject: Delivery Status Notification (Delay)\nX-Failed-Recipients: slow@example.org',
      `This is a note about a delay.\n\n     slow@example.org\n\nMessage will be retried for 2 more day(s)\n\nThe other server said: 452 4.2.2 The mailbox is full\n\n----- Original message -----\n\n${original('slow@example.org')}`,
    ),
  },
  {
    name: 'a delay of which the last reply is a refusal for good',
    source: plain(
      `${daemon}\nSubject: Warning: message 1abc delayed 24 hours`,
      `Not delivered to:\n\n  slow@example.org\n    Delay reason: 550 5.7.1 come back later\n\n${original('slow@example.org')}`,
    ),
  },
  {
    name: 'qmail with a notice of delay',
    source: plain(
      `${daemon}\nSubject: deferral notice`,
      `Hello, here is qmail-send.\n\n<slow@example.org>:\n192.0.2.7 failed after I sent the message.\nRemote host said: 451 4.3.0 Later\n\nI will keep trying for 6 days.\n\n--- Below this line is a copy of the message.\n\n${original('slow@example.org')}`,
    ),
  },
  {
    name: 'a report that it went on, and one that it arrived',
    source: dsn({
      subject: 'Successful Mail Delivery Report',
      text: 'Your message was delivered to the destination(s) below.',
      blocks: [
        'Final-Recipient: rfc822; there@example.org\nAction: delivered\nStatus: 2.0.0',
        'Final-Recipient: rfc822; on@example.org\nAction: relayed\nStatus: 2.0.0',
        'Final-Recipient: rfc822; list@example.org\nAction: expanded\nStatus: 2.0.0',
      ],
    }),
  },
  {
    name: 'in German',
    source: plain(
      `${daemon}\nSubject: Zustellung der Nachricht =?utf-8?Q?verz=C3=B6gert?=\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit`,
      `Die Zustellung Ihrer Nachricht ist verzögert.\n\n<slow@example.org>\n451 4.4.1 Keine Antwort\n\nEs wird weiterhin versucht, sie zuzustellen.`,
    ),
  },
]
