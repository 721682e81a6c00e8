-- A fresh store: the columns and indexes that db-scheduler asks for, in the words of H2.
drop table if exists scheduled_tasks;

create table scheduled_tasks (
	task_name varchar(100) not null,
	task_instance varchar(100) not null,
	task_data varbinary,
	execution_time timestamp(6) with time zone not null,
	picked boolean not null,
	picked_by varchar(50),
	last_success timestamp(6) with time zone,
	last_failure timestamp(6) with time zone,
	consecutive_failures int,
	last_heartbeat timestamp(6) with time zone,
	version bigint not null,
	priority smallint,
	primary key (task_name, task_instance)
);

create index execution_time_idx on scheduled_tasks (execution_time);
create index last_heartbeat_idx on scheduled_tasks (last_heartbeat);
