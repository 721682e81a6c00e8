package io.asynq.outbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

import javax.sql.DataSource;

import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;
import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.PlatformPlaceholderDatabaseDriverResolver;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.util.StringUtils;

final class OutboxSchema extends DataSourceScriptDatabaseInitializer {

	private static final Logger logger = OneLineLogger.of(OutboxSchema.class);

	private final List<DataSource> others;

	private final AsynqOutboxProperties.Jdbc properties;

	OutboxSchema(DataSource source, AsynqOutboxProperties.Jdbc properties) {
		this(source, List.of(), properties);
	}

	private OutboxSchema(DataSource source, List<DataSource> others, AsynqOutboxProperties.Jdbc properties) {
		super(source, settings(source, properties));
		this.others = others;
		this.properties = properties;
	}

	/** Some databases may be away, of which their relays tell. */
	static OutboxSchema of(Collection<DataSource> sources, AsynqOutboxProperties.Jdbc properties) {
		List<DataSource> present = sources.stream().filter((source) -> sources.size() == 1 || answers(source)).toList();
		List<DataSource> known = present.isEmpty() ? List.copyOf(sources) : present;
		return new OutboxSchema(known.get(0), known.subList(1, known.size()), properties);
	}

	@Override
	public boolean initializeDatabase() {
		boolean initialized = super.initializeDatabase();
		this.others.forEach((source) -> new OutboxSchema(source, this.properties).initializeDatabase());
		return initialized;
	}

	private static boolean answers(DataSource source) {
		try (Connection connection = source.getConnection()) {
			return true;
		}
		catch (SQLException ex) {
			logger.debug("A database of the outbox is away", ex);
			return false;
		}
	}

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
