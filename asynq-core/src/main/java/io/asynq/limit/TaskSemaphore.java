package io.asynq.limit;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.asynq.AsynqException;
import io.asynq.Broker;
import io.asynq.BrokerException;
import io.asynq.handler.TaskContext;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.limit.SemaphoreStore;
import io.asynq.internal.limit.SemaphoreStore.Token;
import io.asynq.internal.text.GoText;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

/**
 * Limits how many tasks do something at the same time, across all servers
 * (docs/concurrency.md). Go's {@code x/rate} semaphores with the same scope share its
 * tokens. A token belongs to the id of a task; if it is not released, it expires one
 * second after the attempt's deadline. Safe for concurrent use.
 * <p>
 * Unlike in Go, a task that already holds a token gets it again, so that it does not wait
 * for its own token after a crash of its server; and an attempt that is over cannot
 * release the token of the next attempt.
 */
public final class TaskSemaphore {

	private static final Logger logger = OneLineLogger.of(TaskSemaphore.class);

	private final SemaphoreStore store;

	private final String scope;

	private final int tokens;

	private final Queue<Token> unreleased = new ConcurrentLinkedQueue<>();

	/**
	 * Creates a semaphore; Redis is not touched.
	 * @param broker the store; the caller closes it
	 * @param scope its name; semaphores with the same name share their tokens
	 * @param tokens how many tasks may hold one at the same time, at least 1; if servers
	 * differ, each applies its own number
	 * @throws IllegalArgumentException if the scope is blank or there is no token
	 */
	public static TaskSemaphore create(Broker broker, String scope, int tokens) {
		return new TaskSemaphore(RedisBroker.of(broker).semaphores(), scope, tokens);
	}

	TaskSemaphore(SemaphoreStore store, String scope, int tokens) {
		if (GoText.isBlank(scope)) {
			throw new IllegalArgumentException("The scope of a semaphore must not be blank");
		}
		if (tokens < 1) {
			throw new IllegalArgumentException(
					"Semaphore '" + scope + "' must have at least 1 token, but has " + tokens);
		}
		this.store = store;
		this.scope = scope;
		this.tokens = tokens;
	}

	public String scope() {
		return this.scope;
	}

	public int tokens() {
		return this.tokens;
	}

	/**
	 * Takes a token if one is left; does not wait.
	 * @param context the attempt that is to hold the token, until it is released or
	 * expires
	 * @return whether the attempt has a token
	 * @throws BrokerException if Redis cannot be reached or fails
	 */
	public boolean tryAcquire(TaskContext context) {
		releaseLeftOver();
		return this.store.acquire(this.scope, this.tokens, token(context));
	}

	/**
	 * Releases the token of an attempt.
	 * @throws AsynqException if the attempt holds none
	 * @throws BrokerException if Redis cannot be reached or fails; then the token is
	 * released when this semaphore is used next, or expires
	 */
	public void release(TaskContext context) {
		Token token = token(context);
		if (!giveBack(token)) {
			throw new AsynqException("Task '" + token.taskId() + "' holds no token of semaphore '" + this.scope + "'");
		}
	}

	private boolean giveBack(Token token) {
		try {
			return this.store.release(this.scope, token);
		}
		catch (BrokerException ex) {
			this.unreleased.add(token);
			throw ex;
		}
	}

	private void releaseLeftOver() {
		Token token = this.unreleased.poll();
		while (token != null) {
			giveBack(token);
			logger.debug("Gave back a token of semaphore '{}' late", this.scope);
			token = this.unreleased.poll();
		}
	}

	private static Token token(TaskContext context) {
		return new Token(context.taskId(), context.attemptId(), context.remaining());
	}

	@Override
	public String toString() {
		return "semaphore '" + this.scope + "' of " + this.tokens;
	}

}
