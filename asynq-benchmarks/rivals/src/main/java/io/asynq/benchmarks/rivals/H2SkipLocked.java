package io.asynq.benchmarks.rivals;

import com.github.kagkarlsson.scheduler.jdbc.DefaultJdbcCustomization;
import com.github.kagkarlsson.scheduler.jdbc.Queries;

/**
 * Lets db-scheduler lock and fetch with H2, which skips what is locked like PostgreSQL.
 */
final class H2SkipLocked extends DefaultJdbcCustomization {

	H2SkipLocked() {
		super(false);
	}

	@Override
	public String getName() {
		return "H2";
	}

	@Override
	public boolean supportsGenericLockAndFetch() {
		return true;
	}

	@Override
	public String createGenericSelectForUpdateQuery(String table, int limit, String condition,
			boolean orderByPriority) {
		return Queries.selectForUpdate(table, Queries.ansiSqlOrderPart(orderByPriority), getQueryLimitPart(limit),
				condition, null, null, " FOR UPDATE SKIP LOCKED");
	}

}
