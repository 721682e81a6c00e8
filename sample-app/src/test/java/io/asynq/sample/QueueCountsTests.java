package io.asynq.sample;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import io.asynq.TaskState;
import io.asynq.inspect.QueueInfo;
import io.asynq.inspect.QueueStats;
import io.asynq.inspect.QueueStats.Counters;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class QueueCountsTests {

	@Test
	void countsUnfinishedTasksAsPending() {
		Map<TaskState, Long> sizes = Map.of(TaskState.PENDING, 1L, TaskState.ACTIVE, 20L, TaskState.SCHEDULED, 300L,
				TaskState.RETRY, 4000L, TaskState.ARCHIVED, 50000L, TaskState.COMPLETED, 600000L);
		assertThat(QueueCounts.of(info(sizes, new Counters(70, 8))).pending()).isEqualTo(4321);
	}

	@Test
	void usesTotalCountersBecauseDailyOnesResetAtMidnight() {
		QueueCounts counts = QueueCounts.of(info(Map.of(), new Counters(70, 8)));
		assertThat(counts.processed()).isEqualTo(70);
		assertThat(counts.failed()).isEqualTo(8);
	}

	@Test
	void subtractsEarlierCountsButNotPending() {
		QueueCounts now = new QueueCounts(1620, 70, 5);
		assertThat(now.since(new QueueCounts(1000, 50, 3))).isEqualTo(new QueueCounts(620, 20, 5));
	}

	@Test
	void addsUpQueues() {
		QueueCounts sum = new QueueCounts(1, 2, 3).plus(new QueueCounts(10, 20, 30));
		assertThat(sum).isEqualTo(new QueueCounts(11, 22, 33));
	}

	private static QueueInfo info(Map<TaskState, Long> sizes, Counters total) {
		QueueStats stats = new QueueStats(sizes, 0, Duration.ZERO, new Counters(1, 1), total, false);
		return new QueueInfo("critical", stats, Instant.EPOCH);
	}

}
