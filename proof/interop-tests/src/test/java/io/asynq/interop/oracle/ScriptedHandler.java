package io.asynq.interop.oracle;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

import io.asynq.Task;
import io.asynq.handler.RevokeTaskException;
import io.asynq.handler.SkipRetryException;
import io.asynq.handler.TaskContext;
import io.asynq.handler.TaskHandlerFunction;
import org.jspecify.annotations.Nullable;

/**
 * Does what the payload says, as the handler of the Go program: words "do" or "do:text",
 * one after the other.
 */
final class ScriptedHandler implements TaskHandlerFunction {

	private final CountDownLatch released = new CountDownLatch(1);

	void release() {
		this.released.countDown();
	}

	@Override
	public byte @Nullable [] processTask(Task task, TaskContext context) throws Exception {
		byte[] payload = task.payload();
		String words = (payload != null) ? new String(payload, StandardCharsets.UTF_8) : "";
		for (String word : words.split("\\s+")) {
			String[] parts = word.split(":", 2);
			step(parts[0], (parts.length > 1) ? parts[1] : "", context);
		}
		return null;
	}

	private void step(String action, String text, TaskContext context) throws Exception {
		switch (action) {
			case "result" -> context.resultWriter().write(text.getBytes(StandardCharsets.UTF_8));
			case "fail" -> throw new ScriptedException(text);
			case "failonce" -> {
				if (context.retryCount() == 0) {
					throw new ScriptedException(text);
				}
			}
			case "skip" -> throw new SkipRetryException(text);
			case "revoke" -> throw new RevokeTaskException(text);
			case "postpone" -> throw new PostponedException();
			case "panic" -> throw new AssertionError(text);
			case "block" -> new CountDownLatch(1).await();
			case "hold" -> this.released.await();
			default -> {
				// Any other payload means success
			}
		}
	}

	/**
	 * A failure. The class name that precedes the text of other exceptions is left out,
	 * because Go has none.
	 */
	static class ScriptedException extends Exception {

		ScriptedException(String message) {
			super(message);
		}

		@Override
		public String toString() {
			return String.valueOf(getMessage());
		}

	}

	/**
	 * An error that does not count as a failure.
	 */
	static final class PostponedException extends ScriptedException {

		PostponedException() {
			super("postponed");
		}

	}

}
