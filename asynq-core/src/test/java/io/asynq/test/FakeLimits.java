package io.asynq.test;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.asynq.BrokerUnavailableException;
import io.asynq.inspect.LimitInfo;
import io.asynq.internal.limit.LimitReader;

/**
 * Limits as data, and a Redis that can be away.
 */
public final class FakeLimits extends LimitReader {

	public final List<LimitInfo> limits = new CopyOnWriteArrayList<>();

	public volatile boolean away;

	public FakeLimits() {
		super(null);
	}

	@Override
	public List<LimitInfo> limits() {
		if (this.away) {
			throw new BrokerUnavailableException("Redis is away", null);
		}
		return this.limits;
	}

	@Override
	public List<Starving> starving() {
		return List.of();
	}

	@Override
	public List<LimitInfo.Key> keys(String limit, int max) {
		throw new UnsupportedOperationException("There may be any number of keys");
	}

	@Override
	public List<String> waitsFor(String queue, String id) {
		throw new UnsupportedOperationException("Meters are not about tasks");
	}

}
