package io.asynq.spring.boot.test;

import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.TaskEnqueuer;
import io.asynq.internal.inspect.ManyQueues;
import io.asynq.internal.limit.SemaphoreStore;
import io.asynq.internal.redis.ServerConnections;

/** Records tasks, hands out tokens, and refuses whatever else would need Redis. */
final class TestBroker extends RedisBroker {

	private final RecordedTasks tasks;

	private final Tokens tokens;

	TestBroker(Clock clock, RecordedTasks tasks) {
		this(new NoRedis(), clock, tasks);
	}

	private TestBroker(NoRedis redis, Clock clock, RecordedTasks tasks) {
		super(redis, new ServerConnections(redis, ServerConnections.Source.OWN), clock, DEFAULT_LEASE_DURATION,
				(broken) -> {
				});
		this.tasks = tasks;
		this.tokens = new Tokens(clock, new HashMap<>());
	}

	@Override
	public TaskEnqueuer enqueuer() {
		return this.tasks;
	}

	@Override
	public ManyQueues manyQueues() {
		return this.tasks;
	}

	@Override
	public SemaphoreStore semaphores() {
		return this.tokens;
	}

	/** What servers do as time goes by. */
	void settle() {
		this.tasks.settle();
	}

	void clear() {
		this.tasks.clear();
		this.tokens.clear();
	}

	private record Tokens(Clock clock, Map<String, Map<String, Held>> scopes) implements SemaphoreStore {

		@Override
		public synchronized boolean acquire(String scope, int tokens, Token token) {
			Map<String, Held> holders = this.scopes.computeIfAbsent(scope, (name) -> new HashMap<>());
			Instant now = this.clock.instant();
			holders.values().removeIf((holder) -> !holder.end().isAfter(now));
			if (holders.size() >= tokens && !holders.containsKey(token.taskId())) {
				return false;
			}
			// One second late, as in Go
			holders.put(token.taskId(), new Held(token.attempt(), now.plus(token.length()).plusSeconds(1)));
			return true;
		}

		@Override
		public synchronized boolean release(String scope, Token token) {
			Map<String, Held> holders = this.scopes.getOrDefault(scope, Map.of());
			Held holder = holders.get(token.taskId());
			return holder != null && holder.attempt().equals(token.attempt()) && holders.remove(token.taskId(), holder);
		}

		synchronized void clear() {
			this.scopes.clear();
		}

	}

	private record Held(String attempt, Instant end) {
	}

}
