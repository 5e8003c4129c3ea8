/**
 * What the service keeps of messages that were sent and tracked, of what came back of them, of how far accounts are read and
 * of what their providers said in errors is sealed; reports know their recipient by a keyed hash.
 *
 * The columns get their new names and forms here, still in clear: sealing takes the key, which no script has, and is done at
 * the next start (`clear_values`, with the number of this migration).
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
