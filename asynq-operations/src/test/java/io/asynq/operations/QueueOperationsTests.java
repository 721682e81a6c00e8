package io.asynq.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.QueueNotFoundException;
import io.asynq.TaskState;
import io.asynq.inspect.QueueInfo;
import io.asynq.inspect.QueueStats;
import io.asynq.inspect.QueueStats.Counters;
import io.asynq.inspect.SchedulerEntry;
import io.asynq.inspect.ServerInfo;
import io.asynq.test.UnusedInspector;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class QueueOperationsTests {

	private RuntimeException error = new BrokerException("Redis refused it", null);

	private final QueueOperations queues = new QueueOperations(new Inspector());

	@Test
	void queueThatCannotBeReadHidesNoOther() {
		Overview overview = this.queues.overview(null);
		assertThat(overview.queueCount()).isEqualTo(2);
		assertThat(overview.queues()).extracting(Overview.Line::queue).containsExactly("default");
		assertThat(overview.unreadable()).containsOnlyKeys("broken").containsEntry("broken", "Redis refused it");
		assertThat(overview.tasks()).isEqualTo(Map.of(TaskState.PENDING, 2L));
	}

	@Test
	void queueThatIsDeletedMeanwhileIsLeftOut() {
		this.error = new QueueNotFoundException("broken");
		assertThat(this.queues.overview(null).unreadable()).isEmpty();
		assertThat(this.queues.queues(null).entries()).hasSize(1);
	}

	@Test
	void redisThatIsAwayIsToldAtOnce() {
		this.error = new BrokerUnavailableException("away", null);
		assertThatExceptionOfType(BrokerUnavailableException.class).isThrownBy(() -> this.queues.overview(null));
	}

	private final class Inspector extends UnusedInspector {

		@Override
		public Set<String> queues() {
			return Set.of("default", "broken");
		}

		@Override
		public QueueInfo queueInfo(String queue) {
			if (queue.equals("broken")) {
				throw QueueOperationsTests.this.error;
			}
			return new QueueInfo(queue, new QueueStats(Map.of(TaskState.PENDING, 2L), 0, Duration.ZERO,
					new Counters(0, 0), new Counters(0, 0), false), Instant.EPOCH);
		}

		@Override
		public List<ServerInfo> servers() {
			return List.of();
		}

		@Override
		public List<SchedulerEntry> schedulerEntries() {
			return List.of();
		}

	}

}
