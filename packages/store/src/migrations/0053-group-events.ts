/**
 * Group events of configurations, and the seats that bookings have in them. A series has a row of its own, and each
 * of its occurrences has one once it has a seat or its own capacity.
 */
export const groupEvents = `
create table group_events (
  grant_id text not null,
  calendar_id text not null,
  event_id text not null,
  application_id text not null,
  configuration_id text not null,
  master_id text,
  kind text not null,
  capacity integer not null,
  own_capacity integer not null,
  booked integer not null,
  sealed_details text,
  claimed_by text,
  claimed_until bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (grant_id, calendar_id, event_id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade,
  foreign key (configuration_id, application_id)
    references scheduler_configurations (id, application_id) on delete cascade
);
create index group_events_by_configuration on group_events (configuration_id, calendar_id);

create table group_seats (
  booking_id text not null,
  calendar_id text not null,
  event_id text not null,
  application_id text not null,
  grant_id text not null,
  state text not null,
  people integer not null,
  sealed_people text not null,
  created_at bigint not null,
  primary key (booking_id, calendar_id, event_id, application_id),
  foreign key (grant_id, calendar_id, event_id, application_id)
    references group_events (grant_id, calendar_id, event_id, application_id) on delete cascade
);
create index group_seats_by_event on group_seats (grant_id, calendar_id, event_id);
`
