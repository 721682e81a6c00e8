package io.asynq.internal.group;

import java.time.Duration;
import java.util.List;

import io.asynq.Task;
import io.asynq.handler.TaskAggregators;
import io.asynq.internal.enqueue.TaskMessageFactory;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.event.TaskObservations;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.StopBudget;
import io.asynq.internal.worker.ServerCounters;
import io.asynq.server.ServerOptions;
import io.asynq.test.MutableClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * When groups are examined.
 */
@Timeout(300)
class AggregatorTests {

	private final MutableClock clock = MutableClock.create();

	private final FakeGroups groups = new FakeGroups(this.clock, "1");

	private final TaskAggregators aggregators = new TaskAggregators();

	private final Aggregator aggregator = aggregator();

	@Test
	void aggregatorAddedLaterIsUsedSoon() {
		assertThat(this.aggregator.runOnce()).isLessThanOrEqualTo(Duration.ofSeconds(7));
		this.aggregator.start();
		try {
			this.aggregators.add("", "", (queue, group, tasks) -> Task.of("new", "x"));
			this.aggregator.wake();
			await().untilAsserted(() -> assertThat(this.groups.finished).contains("1"));
		}
		finally {
			this.aggregator.stop();
		}
	}

	private Aggregator aggregator() {
		ServerOptions options = ServerOptions.builder().build();
		GroupAggregation aggregation = new GroupAggregation(this.groups, this.aggregators, options,
				new ServerCounters(options.queues().weights().keySet()), TaskObservations.none(), TaskEvents.none(),
				new TaskMessageFactory(this.clock, List.of()));
		return new Aggregator(options, this.aggregators, this.groups, aggregation,
				new QueueRound("test", Lanes.single()), Lanes.single(), new Loops(() -> true, new LoopErrorLog(),
						new StopBudget(Duration.ofSeconds(20), Duration.ofSeconds(10), Duration.ofSeconds(5))));
	}

}
