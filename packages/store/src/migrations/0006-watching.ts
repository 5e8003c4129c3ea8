/**
 * Watched grants, the nodes that watch them, and the cursor of each.
 *
 * A grant belongs to one of 4,096 shards, which the nodes share. `watch_mark` changes whenever a watch must restart.
 * Existing grants have no shard, because their providers report changes themselves.
 */
export const watching = `
alter table grants add column shard integer;
alter table grants add column watched integer not null default 0;
alter table grants add column watch_mark integer not null default 0;
create index grants_watched on grants (provider, shard, watch_mark) where watched = 1;

create table watch_shards (
  shard integer primary key,
  owner text,
  epoch bigint not null
);
insert into watch_shards (shard, owner, epoch)
with recursive numbers (number) as (select 0 union all select number + 1 from numbers where number < 4095)
select number, null, 0 from numbers;

create table watches (
  grant_id text primary key references grants (id) on delete cascade,
  application_id text not null,
  cursor text not null,
  synced_at bigint,
  authenticated_at bigint not null,
  told_from bigint not null
);
`
