package io.asynq.outbox.jdbc;

import java.util.List;

import javax.sql.DataSource;

import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.PlatformPlaceholderDatabaseDriverResolver;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.util.StringUtils;

/**
 * Creates the table by the script for the database, if the properties say so.
 */
final class OutboxSchema extends DataSourceScriptDatabaseInitializer {

	OutboxSchema(DataSource source, AsynqOutboxProperties.Jdbc properties) {
		super(source, settings(source, properties));
	}

	/**
	 * Returns where the script for a database is.
	 */
	static List<String> locations(DataSource source, AsynqOutboxProperties.Jdbc properties) {
		PlatformPlaceholderDatabaseDriverResolver platforms = new PlatformPlaceholderDatabaseDriverResolver()
			.withDriverPlatform(DatabaseDriver.MARIADB, "mysql");
		return StringUtils.hasText(properties.platform())
				? platforms.resolveAll(properties.platform(), properties.schema())
				: platforms.resolveAll(source, properties.schema());
	}

	private static DatabaseInitializationSettings settings(DataSource source, AsynqOutboxProperties.Jdbc properties) {
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		settings.setSchemaLocations(locations(source, properties));
		settings.setMode(properties.initializeSchema());
		// Applications that start side by side may create it at the same time. If it is
		// missing in the end, the start fails
		settings.setContinueOnError(true);
		return settings;
	}

}
