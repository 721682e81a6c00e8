package io.asynq.server;

import java.time.Duration;

import io.asynq.Task;
import io.asynq.test.MutableClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * When groups are looked for.
 */
@Timeout(300)
class AggregatorTests {

	private final MutableClock clock = MutableClock.create();

	private final FakeGroups groups = new FakeGroups(this.clock, "1");

	private final ServerPolicies policies = ServerPolicies.defaults();

	private final Aggregator aggregator = new Aggregator(new ServerRuntime(this.groups.broker(),
			ServerOptions.builder().build(), this.policies, this.clock, () -> true));

	@Test
	void anAggregatorThatIsAddedLaterIsAskedSoon() {
		assertThat(this.aggregator.runOnce()).isLessThanOrEqualTo(Duration.ofSeconds(7));
		this.aggregator.start();
		try {
			this.policies.aggregators().add("", "", (queue, group, tasks) -> Task.of("new", "x"));
			this.aggregator.wake();
			await().untilAsserted(() -> assertThat(this.groups.finished).contains("1"));
		}
		finally {
			this.aggregator.stop();
		}
	}

}
