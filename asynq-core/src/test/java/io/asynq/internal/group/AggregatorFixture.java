package io.asynq.internal.group;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.asynq.Task;
import io.asynq.group.GroupLimits;
import io.asynq.handler.TaskAggregatorFunction;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.server.TestServer;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Base of the aggregator tests.
 */
abstract class AggregatorFixture {

	static final String QUEUE = "default";

	static final GroupLimits OF_TWO = GroupLimits.defaults().withMaxSize(2);

	static final TaskAggregatorFunction JOINING = (queue, group, tasks) -> Task.of("joined", group + ":" + join(tasks));

	final RedisConnectionFactory factory;

	final RedisState state;

	final RedisBroker broker;

	final BlockingQueue<String> worked = new LinkedBlockingQueue<>();

	AggregatorFixture(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
		this.broker = new RedisBroker(factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
		});
	}

	TestServer server(TaskAggregatorFunction aggregator, GroupLimits limits) {
		return server(aggregator, limits, new CountDownLatch(0));
	}

	TestServer server(TaskAggregatorFunction aggregator, GroupLimits limits, CountDownLatch count) {
		return TestServer.builder(this.factory)
			.options((options) -> options.groupLimits(limits))
			.aggregator(aggregator)
			.handling((task, context) -> {
				this.worked.add(text(task));
				count.countDown();
				return null;
			});
	}

	String next() throws InterruptedException {
		String payload = this.worked.poll(60, TimeUnit.SECONDS);
		assertThat(payload).as("a task was worked on").isNotNull();
		return payload;
	}

	void add(String group, String... ids) {
		for (String id : ids) {
			this.broker.enqueuer().enqueue(new EnqueueRequest(member(group, id), new Placement.Grouped(), null));
		}
	}

	void seed(String group, Instant since, String... ids) {
		for (String id : ids) {
			this.state.seedGrouped(since, member(group, id));
		}
	}

	static TaskMessage member(String group, String id) {
		return RedisState.message(QUEUE, id).group(group).payload(id.getBytes(StandardCharsets.UTF_8)).build();
	}

	static String join(List<Task> tasks) {
		return String.join(",", tasks.stream().map(AggregatorFixture::text).toList());
	}

	static String text(Task task) {
		byte[] payload = task.payload();
		return (payload != null) ? new String(payload, StandardCharsets.UTF_8) : "";
	}

	/**
	 * Waits and ignores interrupts.
	 */
	static void awaitStubbornly(CountDownLatch released) {
		while (released.getCount() > 0) {
			try {
				released.await();
			}
			catch (InterruptedException ex) {
				// Ignored on purpose
			}
		}
	}

	static String key(String suffix) {
		return RedisState.key(QUEUE, suffix);
	}

}
