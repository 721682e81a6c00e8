package io.asynq.server;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * A call in a lane that is waited for as long as a lane is. Its answer goes to the caller
 * if it comes in time, else to somebody else, never to both.
 *
 * @param <T> what is answered
 */
final class LaneCall<T> {

	private final Supplier<T> call;

	private final BiConsumer<@Nullable T, @Nullable RuntimeException> late;

	private final AtomicReference<State> state = new AtomicReference<>(State.AWAITED);

	private volatile @Nullable T answer;

	private volatile @Nullable RuntimeException error;

	/**
	 * Creates the call.
	 * @param call what to do
	 * @param late takes an answer or error that the caller has not waited for, in the
	 * lane's thread
	 */
	LaneCall(Supplier<T> call, BiConsumer<@Nullable T, @Nullable RuntimeException> late) {
		this.call = call;
		this.late = late;
	}

	/**
	 * Makes the call.
	 * @param threads where
	 * @param lane in which lane, which nobody else uses by these threads
	 */
	void make(LaneThreads threads, String lane) {
		threads.run(Map.of(lane, this::run));
	}

	/**
	 * Gives up waiting.
	 * @return {@code false} if there is an answer or an error meanwhile
	 */
	boolean leave() {
		return this.state.compareAndSet(State.AWAITED, State.LEFT);
	}

	boolean isAwaited() {
		return this.state.get() == State.AWAITED;
	}

	/**
	 * Returns the answer.
	 * @return what was answered
	 * @throws RuntimeException if the call has failed
	 */
	T answer() {
		if (this.error != null) {
			throw this.error;
		}
		T present = this.answer;
		if (present == null) {
			throw new IllegalStateException("There is no answer yet");
		}
		return present;
	}

	private void run() {
		try {
			this.answer = this.call.get();
		}
		catch (RuntimeException ex) {
			this.error = ex;
		}
		catch (Throwable ex) {
			// Whoever waits, or has left, must learn that it is over
			this.error = new IllegalStateException("A call to a node of the cluster failed: " + ex, ex);
		}
		if (!this.state.compareAndSet(State.AWAITED, State.ANSWERED)) {
			this.late.accept(this.answer, this.error);
		}
	}

	private enum State {

		AWAITED, ANSWERED, LEFT

	}

}
