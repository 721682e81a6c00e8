package io.asynq.internal.redis;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.DuplicateTaskException;
import io.asynq.TaskIdConflictException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RefusalTests {

	private final TaskMessage message = TaskMessage.builder("mail", "x1", "low").build();

	@Test
	void storedTaskIsNotRefused() {
		assertThat(Refusal.of(this.message, 1)).isEmpty();
		Refusal.throwIfAny(this.message, 1);
	}

	@Test
	void duplicateNamesTypeQueueIdAndWayOut() {
		assertRefused(-1, DuplicateTaskException.class, "Task x1 (mail) in queue low", "without option 'unique'");
	}

	@Test
	void idConflictNamesTypeQueueIdAndWayOut() {
		assertRefused(0, TaskIdConflictException.class, "Task x1 (mail) in queue low", "choose another 'taskId'",
				"'replaceArchived'");
	}

	@Test
	void wrongTypeNamesQueue() {
		assertRefused(-2, BrokerException.class, "Task x1 (mail) in queue low", "wrong type");
	}

	@Test
	void namesLockThatLastsTooLong() {
		assertRefused(-3, BrokerException.class, "Task x1 (mail) in queue low", "shorter time for option 'unique'");
	}

	private void assertRefused(int code, Class<? extends AsynqException> type, String... parts) {
		assertThat(Refusal.of(this.message, code)).get().isExactlyInstanceOf(type);
		assertThatExceptionOfType(type).isThrownBy(() -> Refusal.throwIfAny(this.message, code))
			.withMessageContainingAll(parts);
	}

}
