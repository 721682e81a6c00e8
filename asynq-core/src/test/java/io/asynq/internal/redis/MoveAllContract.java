package io.asynq.internal.redis;

import java.time.Duration;
import java.util.List;
import java.util.SortedMap;

import io.asynq.BrokerException;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.RunOptions;
import io.asynq.internal.inspect.TaskMove;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How all tasks of a state or a group are moved and deleted by hand.
 */
@OnDrivers
class MoveAllContract extends ByHandContract {

	MoveAllContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void archiveKeepsTenThousand() {
		this.state.seedMany(QUEUE, "archived", 10_050, nowSeconds() - 60);
		this.state.seedScheduled(in(1), message("z1").build(), message("z2").build());
		assertThat(this.broker.tasks().moveAll(QUEUE, TaskMove.ARCHIVE, TaskState.SCHEDULED)).isEqualTo(2);
		assertThat(this.state.scores(QUEUE, "archived")).hasSize(10_000).containsKeys("z1", "z2");
		assertThat(this.state.redis().keys("asynq:{default}:t:*")).hasSize(10_000);
	}

	@ParameterizedTest
	@EnumSource(names = { "SCHEDULED", "RETRY", "ARCHIVED" })
	void runAllKeepsOrder(TaskState from) {
		this.state.seedPending(message("next").build());
		for (int i = 0; i < 3; i++) {
			seed(from, message("t" + i).build());
		}
		assertThat(this.broker.tasks().moveAll(QUEUE, TaskMove.RUN, from)).isEqualTo(3);
		this.state.assertPending(QUEUE, "next", "t0", "t1", "t2");
		assertNothingIn(from.wireName());
		assertThat(this.broker.tasks().moveAll(QUEUE, TaskMove.RUN, from)).isZero();
	}

	@ParameterizedTest
	@EnumSource(names = { "PENDING", "SCHEDULED", "RETRY" })
	void archiveAllEmptiesState(TaskState from) {
		for (int i = 0; i < 3; i++) {
			seed(from, message("t" + i).build());
		}
		assertThat(this.broker.tasks().moveAll(QUEUE, TaskMove.ARCHIVE, from)).isEqualTo(3);
		this.state.assertArchived(QUEUE, "t0", "t1", "t2");
		assertThat(this.state.fields(QUEUE, "t0")).doesNotContainKey("pending_since");
		assertNothingIn(from.wireName());
	}

	@ParameterizedTest
	@EnumSource(names = { "PENDING", "SCHEDULED", "RETRY", "ARCHIVED", "COMPLETED" })
	void deleteAllLeavesNothingAndReleasesLocks(TaskState from) {
		for (int i = 0; i < 3; i++) {
			seed(from, message("t" + i).uniqueKey(LOCK + i).build());
			this.state.seedLock(LOCK + i, "t" + i);
		}
		assertThat(this.broker.tasks().moveAll(QUEUE, TaskMove.DELETE, from)).isEqualTo(3);
		assertThat(this.state.dump(QUEUE)).isEmpty();
	}

	@Test
	void tasksOfGroupAreRunArchivedOrDeleted() {
		for (String group : List.of("run", "archive", "delete", "other")) {
			this.state.seedGrouped(in(0), message(group + 1).group(group).uniqueKey(LOCK + group).build(),
					message(group + 2).group(group).build());
			this.state.redis().opsForHash().delete("asynq:{default}:t:" + group + 1, "unique_key");
			this.state.seedLock(LOCK + group, group + 1);
		}
		assertThat(this.broker.tasks().moveGroup(QUEUE, TaskMove.RUN, "run")).isEqualTo(2);
		assertThat(this.broker.tasks().moveGroup(QUEUE, TaskMove.ARCHIVE, "archive")).isEqualTo(2);
		assertThat(this.broker.tasks().moveGroup(QUEUE, TaskMove.DELETE, "delete")).isEqualTo(2);
		assertThat(this.broker.tasks().moveGroup(QUEUE, TaskMove.DELETE, "nobody")).isZero();
		this.state.assertPending(QUEUE, "run1", "run2");
		this.state.assertArchived(QUEUE, "archive1", "archive2");
		this.state.assertGrouped(QUEUE, "other", "other1", "other2");
		assertThat(this.state.redis().opsForSet().members("asynq:{default}:groups")).containsExactly("other");
		assertThat(this.state.fields(QUEUE, "delete1")).isEmpty();
		assertThat(this.state.exists(LOCK + "delete")).isFalse();
		assertThat(this.state.exists(LOCK + "other")).isTrue();
	}

	@Test
	void idsWithoutTaskAreRemovedAndMisplacedTasksStay() {
		this.state.seedScheduled(in(1), message("s1").build(), message("active").build());
		this.state.redis().opsForZSet().add("asynq:{default}:scheduled", "gone", 1);
		this.state.seedActive(in(30), message("active").build());
		this.state.seedRetry(in(1), message("confused").build());
		this.state.redis().rename("asynq:{default}:retry", "asynq:{default}:archived");
		assertThat(this.broker.tasks().moveAll(QUEUE, TaskMove.RUN, TaskState.SCHEDULED)).isOne();
		assertThat(this.broker.tasks().moveAll(QUEUE, TaskMove.RUN, TaskState.ARCHIVED)).isOne();
		this.state.assertPending(QUEUE, "s1", "confused");
		this.state.assertActive(QUEUE, "active");
		assertNothingIn("scheduled", "archived");
	}

	@Test
	void containerOfWrongTypeIsRefusedAndNamed() {
		this.state.seedScheduled(in(1), message("s1").build());
		this.state.redis().opsForValue().set("asynq:{default}:pending", "no list");
		SortedMap<String, Object> before = this.state.dump(QUEUE);
		assertThatExceptionOfType(BrokerException.class)
			.isThrownBy(() -> this.broker.tasks().moveAll(QUEUE, TaskMove.RUN, TaskState.SCHEDULED))
			.withMessageContaining("asynq:{default}:pending");
		assertThatExceptionOfType(BrokerException.class)
			.isThrownBy(() -> this.broker.tasks().moveAll(QUEUE, TaskMove.DELETE, TaskState.PENDING))
			.withMessageContaining("asynq:{default}:pending");
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void conditionsChooseWhichOfAStateRun() {
		AsynqInspector inspector = AsynqInspector.create(this.broker, this.clock);
		for (int i = 0; i < 250; i++) {
			this.state.seedArchived(in(-5), failed("mail" + i, "mail", "smtp: timeout", 60));
		}
		this.state.seedArchived(in(-5), failed("other", "report", "smtp: timeout", 60),
				failed("other error", "mail", "no such user", 60), failed("recent", "mail", "smtp: timeout", 5),
				failed("old", "mail", "smtp: timeout", 600));
		this.state.seedArchived(in(-5), message("never failed").build());
		RunOptions options = RunOptions.freshRetries()
			.type("mail")
			.errorContaining("timeout")
			.failedBefore(Duration.ofSeconds(30))
			.failedWithin(Duration.ofSeconds(300));
		assertThat(inspector.runAllTasks(QUEUE, TaskState.ARCHIVED, options)).isEqualTo(250);
		this.state.assertArchived(QUEUE, "never failed", "old", "other", "other error", "recent");
		assertThat(this.state.pending(QUEUE)).hasSize(250);
		assertThat(this.state.stored(QUEUE, "mail0").retried()).isZero();
		assertThat(inspector.runAllTasks(QUEUE, TaskState.ARCHIVED, RunOptions.defaults().type("report"))).isOne();
		assertThat(this.state.stored(QUEUE, "other").retried()).isEqualTo(3);
		assertThat(inspector.runAllTasks(QUEUE, TaskState.ARCHIVED, RunOptions.freshRetries())).isEqualTo(4);
		assertThat(this.state.stored(QUEUE, "old").retried()).isZero();
	}

	private TaskMessage failed(String id, String type, String error, int secondsAgo) {
		return TaskMessage.builder(type, id, QUEUE)
			.maxRetry(3)
			.retried(3)
			.errorMessage(error)
			.lastFailedAtSeconds(nowSeconds() - secondsAgo)
			.build();
	}

}
