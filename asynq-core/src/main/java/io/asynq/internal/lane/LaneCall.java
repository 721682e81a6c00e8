package io.asynq.internal.lane;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The answer goes to the caller if it comes while lanes are awaited, else to the late
 * receiver, never to both.
 */
public final class LaneCall<T> {

	private final Supplier<T> call;

	private final BiConsumer<@Nullable T, @Nullable RuntimeException> late;

	private final AtomicReference<State> state = new AtomicReference<>(State.AWAITED);

	private volatile @Nullable T answer;

	private volatile @Nullable RuntimeException error;

	/**
	 * @param late receives answer or error in the lane's thread
	 */
	public LaneCall(Supplier<T> call, BiConsumer<@Nullable T, @Nullable RuntimeException> late) {
		this.call = call;
		this.late = late;
	}

	/**
	 * @param threads threads that nothing else uses in this lane
	 */
	public void make(LaneThreads threads, String lane) {
		threads.run(Map.of(lane, this::run));
	}

	/** Returns {@code false} if an answer or error has arrived. */
	public boolean leave() {
		return this.state.compareAndSet(State.AWAITED, State.LEFT);
	}

	public boolean isAwaited() {
		return this.state.get() == State.AWAITED;
	}

	public T answer() {
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
			// The caller or late receiver must learn that the call is over
			this.error = new IllegalStateException("A call to a cluster node failed: " + ex, ex);
		}
		if (!this.state.compareAndSet(State.AWAITED, State.ANSWERED)) {
			this.late.accept(this.answer, this.error);
		}
	}

	private enum State {

		AWAITED, ANSWERED, LEFT

	}

}
