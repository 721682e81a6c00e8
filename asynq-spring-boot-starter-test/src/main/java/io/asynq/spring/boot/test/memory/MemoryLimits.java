package io.asynq.spring.boot.test.memory;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.broker.limit.LimitReader;
import io.asynq.info.LimitInfo;
import io.asynq.info.LimitKeyInfo;

/**
 * Reads limits where no server has announced any: tasks run one after the other, and each
 * finds a token.
 */
final class MemoryLimits implements LimitReader {

	@Override
	public List<LimitInfo> limits() {
		return List.of();
	}

	@Override
	public List<LimitKeyInfo> keys(String limit, int max) {
		return List.of();
	}

	@Override
	public Map<String, Long> waiting(Collection<String> queues) {
		Map<String, Long> none = new LinkedHashMap<>();
		queues.forEach((queue) -> none.put(queue, 0L));
		return none;
	}

	@Override
	public List<String> waitsFor(String queue, String id) {
		return List.of();
	}

}
