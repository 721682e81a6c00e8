package io.asynq.spring.boot.test.whole;

import io.asynq.TaskState;
import io.asynq.spring.boot.test.AutoConfigureAsynq;
import io.asynq.spring.boot.test.EnqueuedTasks;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.transaction.TestTransaction;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a slice of the database enqueues. Its test methods have a transaction of their
 * own, which is rolled back.
 */
@JdbcTest
@Import(Transfers.class)
@AutoConfigureAsynq
@ActiveProfiles("bank")
class TransfersTests {

	@Autowired
	private Transfers transfers;

	@Autowired
	private EnqueuedTasks tasks;

	@Test
	void taskWaitsForTheTransactionOfTheTest() {
		assertThat(this.transfers.book("t1").state()).isEqualTo(TaskState.DEFERRED);
		assertThat(this.tasks).isEmpty();
		TestTransaction.flagForCommit();
		TestTransaction.end();
		assertThat(this.tasks).enqueued("transfer:confirm").once().withPayload("t1");
	}

	@Test
	void rollBackOfTheTestDropsTheTask() {
		this.transfers.book("t2");
		TestTransaction.end();
		assertThat(this.tasks).isEmpty();
	}

}
