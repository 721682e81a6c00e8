package io.asynq.internal.lane;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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

	private final CompletableFuture<T> answer = new CompletableFuture<>();

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
		return this.answer.cancel(false);
	}

	public boolean isAwaited() {
		return !this.answer.isDone();
	}

	public T answer() {
		try {
			return this.answer.join();
		}
		catch (CompletionException ex) {
			throw (RuntimeException) ex.getCause();
		}
	}

	private void run() {
		T present = null;
		RuntimeException error = null;
		try {
			present = this.call.get();
		}
		catch (RuntimeException ex) {
			error = ex;
		}
		catch (Throwable ex) {
			// The caller or late receiver must learn that the call is over
			error = new IllegalStateException("A call to a cluster node failed: " + ex, ex);
		}
		if (!((error != null) ? this.answer.completeExceptionally(error) : this.answer.complete(present))) {
			this.late.accept(present, error);
		}
	}

}
