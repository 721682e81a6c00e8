package io.asynq.outbox.jdbc;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.util.Assert;

/**
 * Settings of the outbox.
 *
 * @param enabled Whether tasks that wait for a transaction are rows of the outbox and
 * commit with it. If not, they wait in memory.
 * @param pollInterval Interval at which the relay looks for rows that others have left
 * behind.
 * @param batchSize Number of rows sent in one step at most.
 * @param jdbc settings of the database
 */
@ConfigurationProperties("asynq.outbox")
record AsynqOutboxProperties(@DefaultValue("true") boolean enabled, @DefaultValue("1s") Duration pollInterval,
		@DefaultValue("256") int batchSize, @DefaultValue Jdbc jdbc) {

	AsynqOutboxProperties {
		Assert.isTrue(pollInterval.toMillis() >= 1, "asynq.outbox.poll-interval must be at least 1ms");
		Assert.isTrue(batchSize >= 1 && batchSize <= 10_000, "asynq.outbox.batch-size must be between 1 and 10000");
	}

	/**
	 * Settings of the database.
	 *
	 * @param initializeSchema Database schema initialization mode.
	 * @param platform Platform to use in initialization scripts if the placeholder
	 * '@@platform@@' is used. Detected by default.
	 * @param schema Path to the SQL file to use to initialize the database schema.
	 */
	record Jdbc(@DefaultValue("embedded") DatabaseInitializationMode initializeSchema, @Nullable String platform,
			@DefaultValue("classpath:io/asynq/outbox/jdbc/schema-@@platform@@.sql") String schema) {
	}

}
