package io.asynq.limit;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.Task;
import io.asynq.handler.TaskContext;
import io.asynq.internal.limit.SemaphoreStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class TaskSemaphoreTests {

	private final Tokens tokens = new Tokens();

	private final TaskSemaphore semaphore = new TaskSemaphore(this.tokens, "api", 1);

	@Test
	void rejectsBlankScope() {
		assertThatIllegalArgumentException().isThrownBy(() -> new TaskSemaphore(this.tokens, " ", 1))
			.withMessageContaining("scope");
	}

	@Test
	void rejectsZeroTokens() {
		assertThatIllegalArgumentException().isThrownBy(() -> new TaskSemaphore(this.tokens, "api", 0))
			.withMessageContaining("'api'")
			.withMessageContaining("at least 1");
	}

	@Test
	void tokenIsHeldUntilReleased() {
		assertThat(this.semaphore.tryAcquire(attempt("t1"))).isTrue();
		assertThat(this.semaphore.tryAcquire(attempt("t2"))).isFalse();
		this.semaphore.release(attempt("t1"));
		assertThat(this.semaphore.tryAcquire(attempt("t2"))).isTrue();
	}

	@Test
	void rejectsReleaseOfTokenThatIsNotHeld() {
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> this.semaphore.release(attempt("t1")))
			.withMessage("Task 't1' holds no token of semaphore 'api'");
	}

	@Test
	void failedReleaseIsRepeatedAtNextUse() {
		this.semaphore.tryAcquire(attempt("t1"));
		this.tokens.away = true;
		assertThatExceptionOfType(BrokerUnavailableException.class)
			.isThrownBy(() -> this.semaphore.release(attempt("t1")));
		this.tokens.away = false;
		assertThat(this.semaphore.tryAcquire(attempt("t2"))).isTrue();
	}

	private static TaskContext attempt(String id) {
		TaskContext context = mock();
		given(context.taskId()).willReturn(id);
		given(context.remaining()).willReturn(Duration.ofMinutes(1));
		return context;
	}

	private static final class Tokens implements SemaphoreStore {

		private final Map<String, Token> held = new HashMap<>();

		private boolean away;

		@Override
		public boolean acquire(String scope, int tokens, Token token) {
			failIfAway();
			return this.held.size() < tokens && this.held.put(token.taskId(), token) == null;
		}

		@Override
		public boolean release(String scope, Token token) {
			failIfAway();
			return this.held.remove(token.taskId(), token);
		}

		private void failIfAway() {
			if (this.away) {
				throw new BrokerUnavailableException("away", null);
			}
		}

	}

}
