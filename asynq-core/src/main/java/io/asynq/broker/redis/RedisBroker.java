package io.asynq.broker.redis;

import java.time.Clock;
import java.time.Duration;

import io.asynq.broker.ArrivalBus;
import io.asynq.broker.Broker;
import io.asynq.broker.BrokenTaskListener;
import io.asynq.broker.CancellationBus;
import io.asynq.broker.CompletedTaskCleaner;
import io.asynq.broker.LeaseKeeper;
import io.asynq.broker.QueueReader;
import io.asynq.broker.ResultStore;
import io.asynq.broker.ServerRegistry;
import io.asynq.broker.TaskCompleter;
import io.asynq.broker.TaskDequeuer;
import io.asynq.broker.TaskEnqueuer;
import io.asynq.broker.TaskForwarder;
import io.asynq.broker.TaskReader;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The queue's store in Redis: any driver, standalone, Sentinel or cluster, whatever the
 * connection factory brings. Safe for concurrent use.
 */
public final class RedisBroker implements Broker {

	/** How long a lease lasts in Go asynq. */
	public static final Duration DEFAULT_LEASE_DURATION = Duration.ofSeconds(30);

	/**
	 * Creates the broker; Redis is not touched.
	 * @param connectionFactory how to reach Redis; stays the caller's
	 * @param clock the time that all timestamps come from
	 * @param leaseDuration how long a lease lasts; servers on the same queues should
	 * agree, and Go's is {@link #DEFAULT_LEASE_DURATION}
	 * @param brokenTasks is told of data that makes no sense
	 */
	public RedisBroker(RedisConnectionFactory connectionFactory, Clock clock, Duration leaseDuration,
			BrokenTaskListener brokenTasks) {
	}

	@Override
	public TaskEnqueuer enqueuer() {
		throw new UnsupportedOperationException();
	}

	@Override
	public TaskDequeuer dequeuer() {
		throw new UnsupportedOperationException();
	}

	@Override
	public TaskCompleter completer() {
		throw new UnsupportedOperationException();
	}

	@Override
	public TaskForwarder forwarder() {
		throw new UnsupportedOperationException();
	}

	@Override
	public LeaseKeeper leases() {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletedTaskCleaner completedTasks() {
		throw new UnsupportedOperationException();
	}

	@Override
	public ServerRegistry servers() {
		throw new UnsupportedOperationException();
	}

	@Override
	public CancellationBus cancellations() {
		throw new UnsupportedOperationException();
	}

	@Override
	public ArrivalBus arrivals() {
		throw new UnsupportedOperationException();
	}

	@Override
	public QueueReader queues() {
		throw new UnsupportedOperationException();
	}

	@Override
	public TaskReader tasks() {
		throw new UnsupportedOperationException();
	}

	@Override
	public ResultStore results() {
		throw new UnsupportedOperationException();
	}

}
