package io.asynq.internal.redis.driver;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;

/**
 * Bounds a call: what has no time-out, such as waiting for a pool's connection, is left
 * to other threads, from which the caller walks away.
 */
public final class CallTime {

	private static final ThreadLocal<@Nullable CallTime> PRESENT = new ThreadLocal<>();

	/** At most as many connections are waited for by those who have not walked away. */
	private static final int THREADS = 8;

	private final long startNanos;

	private final long endNanos;

	private final AtomicReference<State> state = new AtomicReference<>(State.NOTHING_SENT);

	private CallTime(long startNanos, long endNanos) {
		this.startNanos = startNanos;
		this.endNanos = endNanos;
	}

	/** Within another call, the time of that one counts. */
	public static <T> T within(Duration bound, Supplier<T> call) {
		long now = System.nanoTime();
		return (PRESENT.get() != null) ? call.get() : new CallTime(now, now + bound.toNanos()).make(call);
	}

	public static @Nullable CallTime present() {
		return PRESENT.get();
	}

	/** Zero stands for a driver without a time-out; throws if nothing is left. */
	public static long timeout(long nanos) {
		CallTime present = PRESENT.get();
		if (present == null) {
			return nanos;
		}
		long left = present.left();
		if (left <= 0) {
			throw present.over(false);
		}
		return (nanos > 0) ? Math.min(nanos, left) : left;
	}

	/** Throws if the caller has walked away, so that nothing is sent for nobody. */
	public static void sending() {
		CallTime present = PRESENT.get();
		if (present != null && !present.state.compareAndSet(State.NOTHING_SENT, State.SENT)
				&& present.state.get() == State.OVER) {
			throw present.over(false);
		}
	}

	public static void answered() {
		CallTime present = PRESENT.get();
		if (present != null) {
			present.state.compareAndSet(State.SENT, State.NOTHING_SENT);
		}
	}

	/** Threads for what may wait without end, which end when there is nothing to do. */
	public static ThreadPoolExecutor threads(String prefix) {
		AtomicInteger count = new AtomicInteger();
		ThreadPoolExecutor threads = new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), (work) -> {
					Thread thread = new Thread(null, work, prefix + count.incrementAndGet(), 0, false);
					thread.setDaemon(true);
					return thread;
				});
		threads.allowCoreThreadTimeOut(true);
		return threads;
	}

	public boolean isBefore(CallTime other) {
		return this.endNanos - other.endNanos < 0;
	}

	public long left() {
		return this.endNanos - System.nanoTime();
	}

	/** For a call that has to end when this one does. */
	public <T> T makeAnother(Supplier<T> call) {
		return new CallTime(this.startNanos, this.endNanos).make(call);
	}

	/** An interrupt is kept for later; {@code unwanted} gets what comes too late. */
	public <T> T elsewhere(ThreadPoolExecutor threads, Supplier<T> work, Consumer<T> unwanted) {
		CompletableFuture<T> result = new CompletableFuture<>();
		Runnable errand = () -> {
			try {
				T value = make(work);
				if (!result.complete(value)) {
					unwanted.accept(value);
				}
			}
			catch (Throwable ex) {
				result.completeExceptionally(ex);
			}
		};
		threads.execute(errand);
		try {
			return await(result);
		}
		finally {
			threads.remove(errand);
		}
	}

	private <T> T await(CompletableFuture<T> result) {
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return result.get(Math.max(0, left()), TimeUnit.NANOSECONDS);
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
				catch (TimeoutException ex) {
					DataAccessException over = over(this.state.getAndSet(State.OVER) == State.SENT);
					// Unless it was just done
					result.completeExceptionally(over);
				}
				catch (ExecutionException ex) {
					throw thrown(ex.getCause());
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private static RuntimeException thrown(@Nullable Throwable cause) {
		if (cause instanceof Error error) {
			throw error;
		}
		return (cause instanceof RuntimeException error) ? error : new IllegalStateException(cause);
	}

	private <T> T make(Supplier<T> call) {
		CallTime outer = PRESENT.get();
		PRESENT.set(this);
		try {
			return call.get();
		}
		finally {
			if (outer != null) {
				PRESENT.set(outer);
			}
			else {
				PRESENT.remove();
			}
		}
	}

	private DataAccessException over(boolean sent) {
		String time = "within " + Duration.ofNanos(this.endNanos - this.startNanos).toMillis() + " ms";
		return sent ? new QueryTimeoutException("Redis did not answer " + time)
				: new RedisConnectionFailureException("Redis did not answer " + time
						+ ", or no connection was free, and nothing was sent (asynq.client.call-timeout)");
	}

	private enum State {

		NOTHING_SENT, SENT, OVER

	}

}
