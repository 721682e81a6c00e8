package io.asynq.handler;

import java.util.Set;

import io.asynq.Task;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TaskAggregatorsTests {

	private final TaskAggregators aggregators = new TaskAggregators();

	@Test
	void findsNoneWhenEmpty() {
		assertThat(this.aggregators.isEmpty()).isTrue();
		assertThat(this.aggregators.find("default", "g")).isNull();
		assertThat(this.aggregators.isAnyFor("default")).isFalse();
	}

	@Test
	void longestPrefixWins() {
		TaskAggregatorFunction all = add("", "");
		TaskAggregatorFunction user = add("", "user:");
		TaskAggregatorFunction user42 = add("", "user:42");
		assertThat(this.aggregators.find("default", "order:1")).isSameAs(all);
		assertThat(this.aggregators.find("default", "user:1")).isSameAs(user);
		assertThat(this.aggregators.find("default", "user:42")).isSameAs(user42);
		assertThat(this.aggregators.find("default", "user:421")).isSameAs(user42);
	}

	@Test
	void aggregatorOfQueuePrecedesOneOfAllQueues() {
		TaskAggregatorFunction all = add("", "user:42");
		TaskAggregatorFunction low = add("low", "user:");
		assertThat(this.aggregators.find("low", "user:42")).isSameAs(low);
		assertThat(this.aggregators.find("default", "user:42")).isSameAs(all);
		assertThat(this.aggregators.find("default", "user:1")).isNull();
	}

	@Test
	void rejectsDuplicate() {
		add("low", "user:");
		add("low", "user");
		assertThatIllegalArgumentException().isThrownBy(() -> add("low", "user:"))
			.withMessageContainingAll("'user:'", "queue 'low'", "already");
	}

	@Test
	void reportsAggregatorsOfUnservedQueues() {
		add("", "");
		add("low", "");
		TaskAggregatorFunction high = add("high", "");
		assertThat(this.aggregators.idleBeside(Set.of("default", "low")))
			.containsExactly(new TaskAggregators.Idle("high", high));
	}

	private TaskAggregatorFunction add(String queue, String prefix) {
		TaskAggregatorFunction aggregator = (ofQueue, group, tasks) -> Task.of("x", queue + prefix);
		this.aggregators.add(queue, prefix, aggregator);
		return aggregator;
	}

}
