package io.asynq.spring.boot.test.jpa;

import io.asynq.TaskState;
import io.asynq.spring.boot.test.AutoConfigureAsynq;
import io.asynq.spring.boot.test.EnqueuedTasks;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.transaction.TestTransaction;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a slice of entities and repositories enqueues. Its test methods have a transaction
 * of their own, which is rolled back.
 */
@DataJpaTest(properties = "spring.autoconfigure.exclude=")
@Import(Loans.class)
@AutoConfigureAsynq
@Tag("full")
class LoansTests {

	@Autowired
	private Loans loans;

	@Autowired
	private Books books;

	@Autowired
	private EnqueuedTasks tasks;

	@Test
	void taskWaitsForTheTransactionOfTheTest() {
		assertThat(this.loans.lend("Emma").state()).isEqualTo(TaskState.DEFERRED);
		assertThat(this.tasks).isEmpty();
		TestTransaction.flagForCommit();
		TestTransaction.end();
		assertThat(this.tasks).enqueued("loan:remind").once().withPayload("Emma");
		assertThat(this.books.findAll()).extracting(Book::title).containsExactly("Emma");
	}

	@Test
	void rollBackOfTheTestDropsTheTask() {
		this.loans.lend("Persuasion");
		TestTransaction.end();
		assertThat(this.tasks).isEmpty();
		assertThat(this.books.existsById("Persuasion")).isFalse();
	}

}
