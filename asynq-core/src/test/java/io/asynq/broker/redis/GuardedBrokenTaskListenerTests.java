package io.asynq.broker.redis;

import io.asynq.broker.BrokenTask;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatCode;

class GuardedBrokenTaskListenerTests {

	@Test
	void whateverAListenerThrowsEndsThere() {
		BrokenTask task = new BrokenTask("default", "t1", BrokenTask.Kind.MISSING);
		for (Throwable error : new Throwable[] { new IllegalStateException("planted"), new OutOfMemoryError("planted"),
				new Exception("checked"), new Hostile() }) {
			assertThatCode(() -> new GuardedBrokenTaskListener((broken) -> sneak(error)).onBrokenTask(task))
				.doesNotThrowAnyException();
		}
	}

	@SuppressWarnings("unchecked")
	private static <E extends Throwable> void sneak(Throwable error) throws E {
		throw (E) error;
	}

	private static final class Hostile extends RuntimeException {

		@Override
		public String getMessage() {
			throw new IllegalStateException("message");
		}

	}

}
