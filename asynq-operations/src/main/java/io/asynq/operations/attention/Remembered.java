package io.asynq.operations.attention;

import java.time.Duration;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Reads something at most every so often, however many ask; who comes while another reads
 * takes what that has read.
 */
public final class Remembered<T> {

	private final Supplier<T> reader;

	private final long nanos;

	private final Lock lock = new ReentrantLock();

	private volatile @Nullable Value<T> value;

	/** What the reader throws is not remembered. */
	public Remembered(Supplier<T> reader, Duration age) {
		this.reader = reader;
		this.nanos = age.toNanos();
	}

	public T get() {
		Value<T> known = this.value;
		if (known != null && System.nanoTime() - known.at() < this.nanos) {
			return known.read();
		}
		this.lock.lock();
		try {
			Value<T> present = this.value;
			if (present == null || present == known || System.nanoTime() - present.at() >= this.nanos) {
				present = new Value<>(this.reader.get(), System.nanoTime());
				this.value = present;
			}
			return present.read();
		}
		finally {
			this.lock.unlock();
		}
	}

	private record Value<T>(T read, long at) {
	}

}
