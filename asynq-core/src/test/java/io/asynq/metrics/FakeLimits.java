package io.asynq.metrics;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.asynq.BrokerUnavailableException;
import io.asynq.broker.limit.LimitReader;
import io.asynq.info.LimitInfo;
import io.asynq.info.LimitKeyInfo;
import org.jspecify.annotations.Nullable;

/**
 * Limits that are as a test says.
 */
final class FakeLimits implements LimitReader {

	/** What there is, {@code null} if Redis is away. */
	@Nullable List<LimitInfo> present = List.of();

	@Override
	public List<LimitInfo> limits() {
		if (this.present == null) {
			throw new BrokerUnavailableException("away", null);
		}
		return this.present;
	}

	@Override
	public List<LimitKeyInfo> keys(String limit, int max) {
		return List.of();
	}

	@Override
	public Map<String, Long> waiting(Collection<String> queues) {
		return Map.of();
	}

	@Override
	public List<String> waitsFor(String queue, String id) {
		return List.of();
	}

}
