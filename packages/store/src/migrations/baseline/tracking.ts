/**
 * Tracked messages: the options and counts of each. There is one row per message and one per link, no matter how
 * often they are visited. `sealed_recents` holds the last 50 visits as JSON. Rows are deleted with their grant; then
 * the links lead nowhere.
 *
 * A seal is the hash of a token. `message_id` is the API id, which exists once the message is sent. `held_after` is
 * set if visits were counted while the grant was invalid and are not reported yet: the authentication before them.
 */
export const tracking = `
create table tracked_messages (
  send_id text not null,
  application_id text not null,
  grant_id text not null,
  mime_id text not null,
  message_id text,
  sealed_facts text not null,
  thread_replies integer not null,
  created_at bigint not null,
  sent_at bigint,
  open_seal text,
  opens integer not null default 0,
  opened_at bigint,
  sealed_recents text not null default '[]',
  flagged integer not null default 0,
  held_after bigint,
  replies integer not null default 0,
  reply_ids text not null default '[]',
  primary key (send_id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index tracked_messages_by_age on tracked_messages (created_at);
create index tracked_messages_by_message_id on tracked_messages (grant_id, message_id) where message_id is not null;
create index tracked_messages_by_mime_id on tracked_messages (grant_id, mime_id);
create index tracked_messages_held on tracked_messages (grant_id) where held_after is not null;

create table tracked_links (
  send_id text not null,
  link_index integer not null,
  application_id text not null,
  grant_id text not null,
  sealed_url text not null,
  seal text not null,
  clicks integer not null default 0,
  clicked_at bigint,
  sealed_recents text not null default '[]',
  flagged integer not null default 0,
  held_after bigint,
  primary key (send_id, link_index, application_id),
  foreign key (send_id, application_id) references tracked_messages (send_id, application_id) on delete cascade
);
create index tracked_links_held on tracked_links (grant_id) where held_after is not null;
`
