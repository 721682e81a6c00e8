package io.asynq.spring.boot.test.memory;

import java.util.List;

import io.asynq.inspect.LimitInfo;
import io.asynq.inspect.LimitKeyInfo;
import io.asynq.internal.limit.LimitReader;

/**
 * Limits of a broker in memory, which has none: tasks run one after the other, and none
 * waits.
 */
final class NoLimits implements LimitReader {

	@Override
	public List<LimitInfo> limits() {
		return List.of();
	}

	@Override
	public List<LimitKeyInfo> keys(String limit, int max) {
		return List.of();
	}

	@Override
	public List<Starving> starving() {
		return List.of();
	}

	@Override
	public List<String> waitsFor(String queue, String id) {
		return List.of();
	}

}
