package io.asynq.server;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.lifecycle.LoopErrorLog;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class QueueRoundTests {

	private static final List<String> QUEUES = List.of("a", "b", "c");

	private final List<String> visited = new ArrayList<>();

	@Test
	void aQueueWhoseKeysMakeNoSenseKeepsNobodyWaiting() {
		round(false).each(QUEUES, failingAt("a", new BrokerException("wrong type", null)));
		assertThat(this.visited).isEqualTo(QUEUES);
	}

	@Test
	void aNodeOfAClusterThatIsAwayCostsOnlyItsQueuesTheirTurn() {
		BrokerUnavailableException away = new BrokerUnavailableException("away", null);
		assertThatExceptionOfType(BrokerUnavailableException.class)
			.isThrownBy(() -> round(true).each(QUEUES, failingAt("a", away)))
			.isSameAs(away);
		assertThat(this.visited).isEqualTo(QUEUES);
	}

	@Test
	void aSingleRedisThatIsAwayIsAskedOnce() {
		assertThatExceptionOfType(BrokerUnavailableException.class)
			.isThrownBy(() -> round(false).each(QUEUES, failingAt("a", new BrokerUnavailableException("away", null))));
		assertThat(this.visited).containsExactly("a");
	}

	private Consumer<String> failingAt(String queue, BrokerException error) {
		return (visited) -> {
			this.visited.add(visited);
			if (visited.equals(queue)) {
				throw error;
			}
		};
	}

	private static QueueRound round(boolean partitioned) {
		return new QueueRound("test", () -> partitioned, new LoopErrorLog());
	}

}
