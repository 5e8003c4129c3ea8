/** Bounces and complaints about sent messages. Each is stored once. */
export const sendReports = `
create table send_reports (
  grant_id text not null references grants (id) on delete cascade,
  message_id text not null,
  kind text not null,
  recipient text not null,
  application_id text not null,
  created_at bigint not null,
  document text not null,
  primary key (grant_id, message_id, kind, recipient)
);
`
