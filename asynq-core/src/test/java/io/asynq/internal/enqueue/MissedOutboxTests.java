package io.asynq.internal.enqueue;

import java.time.Clock;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.internal.event.Observers;
import io.asynq.internal.text.LogCapture;
import io.asynq.test.FakeBroker;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link MissedOutbox} with transactions of a database.
 */
class MissedOutboxTests {

	private final FakeBroker broker = new FakeBroker();

	private final TestDatabase database = new TestDatabase();

	@Test
	void whatATransactionSendsAtOnceDespiteAnOutboxIsAWarningForEachType() {
		AsynqClient plain = clientWithOutbox(false);
		try (LogCapture log = LogCapture.of(MissedOutbox.class, Level.WARN)) {
			for (int i = 0; i < 3; i++) {
				this.database.transaction().executeWithoutResult((status) -> {
					plain.enqueue("mail");
					plain.enqueue("mail", "again");
					plain.enqueueAll(List.of(Task.of("mail", ""), Task.of("invoice", "")));
				});
			}
			this.database.transaction().executeWithoutResult((status) -> {
				plain.enqueue("report");
				status.setRollbackOnly();
			});
			assertThat(log.lines()).extracting(ILoggingEvent::getFormattedMessage)
				.satisfiesExactlyInAnyOrder((line) -> assertThat(line).contains("type mail ", "client.afterCommit()"),
						(line) -> assertThat(line).contains("type invoice ", "asynq.client.after-commit=true"),
						(line) -> assertThat(line).contains("type report "));
		}
		assertThat(this.broker.requests).hasSize(13);
	}

	@Test
	void whatMissesNoOutboxIsNoWarning() {
		AsynqClient plain = clientWithOutbox(false);
		AsynqClient always = clientWithOutbox(true);
		AsynqClient withoutOutbox = AsynqClient.create(this.broker,
				ClientOptions.builder().clock(Clock.systemUTC()).build());
		try (LogCapture log = LogCapture.of(MissedOutbox.class, Level.WARN)) {
			plain.enqueue("mail");
			this.database.transaction().executeWithoutResult((status) -> {
				plain.afterCommit().enqueue("mail");
				always.enqueue("mail");
				withoutOutbox.enqueue("mail");
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						plain.enqueue("mail");
					}

					@Override
					public void afterCompletion(int outcome) {
						plain.enqueue("mail");
					}

				});
			});
			this.database.transaction(TransactionDefinition.PROPAGATION_SUPPORTS)
				.executeWithoutResult((status) -> plain.enqueue("mail"));
			TransactionTemplate readOnly = this.database.transaction();
			readOnly.setReadOnly(true);
			readOnly.executeWithoutResult((status) -> plain.enqueue("mail"));
			assertThat(log.lines()).isEmpty();
			this.database.transaction().executeWithoutResult((status) -> plain.enqueue("mail"));
			assertThat(log.lines()).as("the type was not used up").hasSize(1);
		}
	}

	private AsynqClient clientWithOutbox(boolean afterCommit) {
		return this.broker.client(ClientOptions.builder().clock(Clock.systemUTC()).afterCommit(afterCommit).build(),
				Observers.none(), (requests) -> assertThat(requests).isNotEmpty());
	}

}
