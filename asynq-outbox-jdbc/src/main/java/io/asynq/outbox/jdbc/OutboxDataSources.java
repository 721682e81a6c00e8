package io.asynq.outbox.jdbc;

import java.util.Map;

import javax.sql.DataSource;

/**
 * Lists the databases that rows of the outbox may be written to, if there are several
 * behind the application's data source, as one for each tenant. Each has a table, and the
 * relay sends the rows of all. Define a bean of this type unless they are the targets of
 * an {@code AbstractRoutingDataSource}, which are found without it. Safe for concurrent
 * use.
 */
@FunctionalInterface
public interface OutboxDataSources {

	/**
	 * Returns the data sources by a name for the log and the health. Called at the start,
	 * and when a transaction has another one.
	 */
	Map<String, DataSource> byName();

}
