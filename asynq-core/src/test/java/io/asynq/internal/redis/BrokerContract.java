package io.asynq.internal.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.worker.Due;
import io.asynq.server.BrokenTask;
import io.asynq.test.MutableClock;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Base of all contracts; {@link OnDrivers} says where they run.
 */
public abstract class BrokerContract {

	protected static final String QUEUE = "default";

	/** The UTC day of {@link #clock}. */
	protected static final String DAY = "2096-03-04";

	protected final MutableClock clock = MutableClock.create();

	protected final RedisConnectionFactory factory;

	protected final RedisBroker broker;

	protected final RedisState state;

	protected final List<BrokenTask> brokenTasks = new CopyOnWriteArrayList<>();

	protected BrokerContract(RedisConnectionFactory factory) {
		this.factory = factory;
		this.broker = new RedisBroker(factory, this.clock, ScriptTime.of(this.clock),
				RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
					this.brokenTasks.add(task);
					throw new IllegalStateException("Nothing must depend on what a listener throws");
				});
		this.state = new RedisState(factory);
	}

	protected long nowSeconds() {
		return this.clock.instant().getEpochSecond();
	}

	protected Due dueIn(int seconds) {
		return due(Duration.ofSeconds(seconds));
	}

	protected Due due(Duration delay) {
		return new Due(delay, Text.nanos(this.clock.instant()));
	}

	protected static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
