package io.asynq.test.interleaving;

import java.util.function.UnaryOperator;

/**
 * Stands for a {@link java.util.concurrent.atomic.AtomicReference}.
 *
 * @param <V> what it refers to
 */
public final class StepReference<V> {

	private V value;

	public StepReference(V value) {
		this.value = value;
	}

	public V get() {
		Interleaving.step();
		return this.value;
	}

	public void set(V next) {
		Interleaving.step();
		this.value = next;
	}

	public V getAndSet(V next) {
		Interleaving.step();
		V before = this.value;
		this.value = next;
		return before;
	}

	public boolean compareAndSet(V expected, V next) {
		Interleaving.step();
		boolean same = this.value == expected;
		this.value = same ? next : this.value;
		return same;
	}

	public V updateAndGet(UnaryOperator<V> update) {
		Interleaving.step();
		this.value = update.apply(this.value);
		return this.value;
	}

}
