package io.asynq.outbox.jdbc;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

final class OutboxDatabases {

	private final DataSource source;

	/** {@code null} if there is one. */
	private final @Nullable OutboxDataSources several;

	OutboxDatabases(DataSource source, @Nullable OutboxDataSources listed) {
		this.source = source;
		AbstractRoutingDataSource routing = DataSourceUnwrapper.unwrap(source, AbstractRoutingDataSource.class);
		this.several = (listed != null || routing == null) ? listed : () -> targets(routing);
	}

	boolean areSeveral() {
		return this.several != null;
	}

	/** Those that there are now, each once. */
	Map<String, DataSource> byName() {
		if (this.several == null) {
			return Map.of(OutboxRelay.DATABASE, this.source);
		}
		Set<DataSource> known = Collections.newSetFromMap(new IdentityHashMap<>());
		Map<String, DataSource> databases = new LinkedHashMap<>();
		this.several.byName().forEach((name, source) -> {
			if (known.add(source)) {
				databases.put(OutboxRelay.DATABASE + " " + name, source);
			}
		});
		return databases;
	}

	private static Map<String, DataSource> targets(AbstractRoutingDataSource routing) {
		Map<String, DataSource> targets = new LinkedHashMap<>();
		routing.getResolvedDataSources().forEach((key, target) -> targets.put(String.valueOf(key), target));
		DataSource fallback = routing.getResolvedDefaultDataSource();
		if (fallback != null) {
			targets.put("by default", fallback);
		}
		return targets;
	}

}
