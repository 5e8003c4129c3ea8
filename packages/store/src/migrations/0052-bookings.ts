/**
 * Bookings, the times that they claim from their hosts, and a row per host that is locked while claims are compared.
 * Times of slots are in Unix seconds, as in the API.
 */
export const bookings = `
create table bookings (
  id text not null,
  application_id text not null,
  configuration_id text not null,
  grant_id text not null,
  host_grant_id text not null,
  status text not null,
  revision integer not null,
  start_time bigint not null,
  end_time bigint not null,
  calendar_id text not null,
  event_id text,
  guest_key text not null,
  sealed_document text not null,
  sealed_intent text,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index bookings_by_start on bookings (application_id, start_time, id);
create index bookings_by_configuration on bookings (configuration_id, start_time, id);
create index bookings_by_grant on bookings (grant_id, start_time, id);
create index bookings_by_guest on bookings (guest_key, end_time);
create index bookings_by_end on bookings (end_time, id);
create table booking_hosts (
  grant_id text not null,
  booking_id text not null,
  revision integer not null,
  application_id text not null,
  starts_at bigint not null,
  ends_at bigint not null,
  holds_until bigint not null,
  primary key (grant_id, booking_id, revision, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade,
  foreign key (booking_id, application_id) references bookings (id, application_id) on delete cascade
);
create index booking_hosts_by_end on booking_hosts (grant_id, ends_at);
create index booking_hosts_by_booking on booking_hosts (booking_id);
create table scheduler_hosts (
  grant_id text not null,
  application_id text not null,
  changes bigint not null,
  primary key (grant_id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
`
