package io.asynq.interop.peer;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.asynq.Task;
import io.asynq.handler.RevokeTaskException;
import io.asynq.handler.SkipRetryException;
import io.asynq.handler.TaskContext;
import io.asynq.handler.TaskHandlerFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reports every attempt and behaves as specified, like the handler of the Go program.
 */
final class JavaHandler implements TaskHandlerFunction {

	private static final Behaviour OK = Behaviour.of(Behaviour.Action.OK);

	private final Events<Attempt> started = new Events<>();

	private final Events<AttemptEnd> ended = new Events<>();

	private final CountDownLatch released = new CountDownLatch(1);

	private final Map<String, Behaviour> behaviours;

	JavaHandler(Map<String, Behaviour> behaviours) {
		this.behaviours = behaviours;
	}

	Events<Attempt> started() {
		return this.started;
	}

	Events<AttemptEnd> ended() {
		return this.ended;
	}

	void release() {
		this.released.countDown();
	}

	@Override
	public byte @Nullable [] processTask(Task task, TaskContext context) throws Exception {
		this.started.add(new Attempt(context.taskId(), task.type(), context.queue(), TaskView.text(task.payload()),
				task.headers(), context.retryCount(), context.maxRetry(), context.deadline()));
		String error = null;
		try {
			behave(this.behaviours.getOrDefault(task.type(), OK), context);
			return null;
		}
		catch (Exception ex) {
			error = String.valueOf(ex.getMessage());
			throw ex;
		}
		finally {
			Throwable cancellation = context.cancellation();
			this.ended.add(new AttemptEnd(context.taskId(), error,
					(cancellation != null) ? String.valueOf(cancellation.getMessage()) : null));
		}
	}

	private void behave(Behaviour behaviour, TaskContext context) throws Exception {
		if (behaviour.result() != null) {
			context.resultWriter().write(behaviour.result());
		}
		if (!behaviour.duration().isZero()) {
			// The latch is never counted down: this ends with the time or an interrupt
			new CountDownLatch(1).await(behaviour.duration().toNanos(), TimeUnit.NANOSECONDS);
		}
		if (behaviour.times() == 0 || context.retryCount() < behaviour.times()) {
			act(behaviour);
		}
	}

	private void act(Behaviour behaviour) throws Exception {
		switch (behaviour.action()) {
			case OK -> {
			}
			case FAIL -> throw new IllegalStateException(behaviour.message());
			case SKIP -> throw new SkipRetryException(behaviour.message());
			case REVOKE -> throw new RevokeTaskException(behaviour.message());
			case POSTPONE -> throw new PostponedException();
			case BLOCK -> new CountDownLatch(1).await();
			case HOLD -> this.released.await();
		}
	}

	/**
	 * An error that does not count as a failure.
	 */
	static final class PostponedException extends Exception {

		PostponedException() {
			super("postponed");
		}

	}

}
