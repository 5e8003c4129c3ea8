/**
 * Encrypts the stored data of sent and tracked messages, of reports about them, of sync cursors, and of provider
 * errors. Reports identify their recipient by a keyed hash.
 *
 * The columns get their new names and forms here, still unencrypted. They are encrypted at the next start, because a
 * script has no key (`clear_values`, with the number of this migration).
 */
import type { Engine } from '../engine/database.ts'

const quoted: Record<Engine, (column: string) => string> = {
  sqlite: (column) => `json_quote(${column})`,
  postgresql: (column) => `cast(to_json(${column}) as text)`,
}

export const sealedMail = (engine: Engine): string => `
alter table sends rename column facts to sealed_content;
update sends set sealed_content =
  '{"sender":' || ${quoted[engine]('sender')} || ',"recipients":' || recipients || ',"facts":' || sealed_content || '}';
alter table sends drop column sender;
alter table sends drop column recipients;
alter table sends rename column error to sealed_error;

alter table send_reports rename column document to sealed_report;
update send_reports set sealed_report =
  '{"recipient":' || ${quoted[engine]('recipient')} || ',"document":' || sealed_report || '}';
alter table send_reports rename column recipient to recipient_hash;

alter table tracked_messages rename column options to sealed_facts;
update tracked_messages set sealed_facts =
  '{"sender":' || coalesce(${quoted[engine]('sender')}, 'null') || ',"options":' || sealed_facts || '}';
alter table tracked_messages drop column sender;
alter table tracked_messages rename column recents to sealed_recents;
alter table tracked_links rename column url to sealed_url;
alter table tracked_links rename column recents to sealed_recents;

alter table watches rename column cursor to sealed_cursor;
alter table grant_errors rename column message to sealed_message;

insert into installation (name, value) select 'clear_values', '23' where exists (select 1 from applications)
  on conflict (name) do nothing;
`
