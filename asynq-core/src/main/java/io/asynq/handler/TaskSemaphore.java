package io.asynq.handler;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.Names;
import io.asynq.broker.Broker;
import io.asynq.broker.SemaphoreStore;
import io.asynq.broker.SemaphoreStore.Token;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * Bounds how many tasks do something at the same time, over all servers (asynq R01–R06).
 * Go's {@code x/rate} semaphores of the same scope share its tokens. A token belongs to a
 * task, by its id, and ends with the attempt's deadline should nobody give it back. Safe
 * for concurrent use.
 * <p>
 * Unlike Go's, a task that holds a token when it asks gets it again, so one whose server
 * has crashed does not wait for its own token; and an attempt that is over cannot give
 * back the token of the next one.
 */
public final class TaskSemaphore {

	private static final Logger logger = OneLineLogger.of(TaskSemaphore.class);

	private final SemaphoreStore store;

	private final String scope;

	private final int tokens;

	/** Tokens that Redis could not take back. */
	private final Queue<Token> unreleased = new ConcurrentLinkedQueue<>();

	/**
	 * Creates a semaphore; Redis is not touched.
	 * @param broker the store
	 * @param scope its name; those of the same name share their tokens
	 * @param tokens how many tasks may hold one at the same time, at least 1; where
	 * servers differ, each goes by its own number
	 * @throws IllegalArgumentException if the scope is blank or there is no token
	 */
	public TaskSemaphore(Broker broker, String scope, int tokens) {
		if (Names.isBlank(scope)) {
			throw new IllegalArgumentException("The scope of a semaphore must not be blank");
		}
		if (tokens < 1) {
			throw new IllegalArgumentException(
					"Semaphore '" + scope + "' must have at least 1 token, but has " + tokens);
		}
		this.store = broker.semaphores();
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
	 * Takes a token, if there is one left; does not wait for one.
	 * @param context the attempt that is to hold it, until its deadline at the latest
	 * @return whether it has one
	 * @throws BrokerException if Redis cannot be reached or fails
	 */
	public boolean tryAcquire(TaskContext context) {
		releaseLeftOver();
		return this.store.acquire(this.scope, this.tokens, token(context));
	}

	/**
	 * Gives the token back.
	 * @param context the attempt that holds it
	 * @throws AsynqException if it holds none
	 * @throws BrokerException if Redis cannot be reached or fails; the token ends with
	 * the attempt's deadline, or is given back when this semaphore is used next
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
